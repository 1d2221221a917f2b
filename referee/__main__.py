"""Run the command line with `python -m referee`."""

from .cli import main

if __name__ == "__main__":
    main()
