"""`python -m pto` is the command `pto`."""

from pto.cli.main import main

main()
