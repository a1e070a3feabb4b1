"""The events of Frantic, by what they do; `index` has the table of all of them."""
