"""Level 6: the messages between clients and servers."""
