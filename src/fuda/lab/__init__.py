"""The laboratory: what is measured on many games rather than played in one."""
