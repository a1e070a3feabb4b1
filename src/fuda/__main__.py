"""`python -m fuda` is the command `fuda`."""

from fuda.cli.main import main

main(prog_name="fuda")
