"""What happens when Fuda is built: the core is compiled, and the browser client is put together."""
