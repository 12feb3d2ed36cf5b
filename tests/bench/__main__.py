"""All measurements, each side by side with what it is compared with in one run.

    python -m tests.bench                  every table, about twenty minutes
    python -m tests.bench frames start     only these

Each runs in a process of its own, so that none finds memory, threads or caches of the one before. Each module also
runs alone and takes more options: ``python -m tests.bench.start --help``.
"""

import argparse
import subprocess
import sys

from tests.serving import ROOT

TABLES = {
    "start": "from the start of the process to the first page, beside streamlit hello",
    "first_load": "time, bytes and requests of the home page, cold and warm, direct and through nginx",
    "frames": "frames a second of every live figure, beside an empty page",
    "redraw": "from letting a control go to the redrawn page, beside a page of one slider",
    "usual_heatmap": "the heatmap beside Altair's rectangles and matplotlib",
    "rerun_cpu": "the server's CPU of a rerun of each page, beside a page of one slider",
    "exports": "the file of every figure, beside an empty sheet",
    "peers": "the table and RoPE beside other libraries",
}


def main() -> int:
    """Print the tables asked for; 1 if one could not be made."""
    named = "\n".join(f"  {name:<16}{what}" for name, what in TABLES.items())
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{named}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", nargs="*", choices=[[], *TABLES], help="default: all")
    codes = []
    for name in parser.parse_args().table or TABLES:
        print(f"{name}: {TABLES[name]}", flush=True)
        codes.append(subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=ROOT, check=False).returncode)
        print(flush=True)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
