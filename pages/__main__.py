"""What the pages do in a terminal: ``python -m pages figures --help``."""

import sys

from pages.index import CONCEPTS
from pages.kit.export.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], [concept.folder for concept in CONCEPTS]))
