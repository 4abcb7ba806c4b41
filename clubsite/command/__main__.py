"""`python -m clubsite.command`: what the installed command `nine-tables` does."""

from clubsite.command.line import main

if __name__ == "__main__":
    main()
