"""The terminal itself: screen, input, signals, text layout."""
