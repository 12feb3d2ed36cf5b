"""What the pages do in a terminal: ``python -m pages figures --help``."""

import sys

from pages.index import CONCEPTS
from pages.kit.export.command import PROGRAM, main
from posenc.terminal.process import run

if __name__ == "__main__":
    sys.exit(run(lambda: main(sys.argv[1:], [concept.folder for concept in CONCEPTS]), PROGRAM))
