"""A class on the app, by real websocket sessions: time, CPU and memory against their limits.

    python -m tests.load                      every scenario, about a quarter of an hour
    python -m tests.load lecture opening      only these

Each scenario starts the app on a free port of this machine and ends it. Times hold for a machine that has nothing
else to do; the load is printed with them. Ends with 1 if a limit is not kept.
"""

import argparse
import asyncio
import os
import sys

from tests.bench import servers
from tests.load.scenarios import SCENARIOS, table


def main() -> int:
    """Run the scenarios asked for and print what they found; 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="*", choices=[[], *SCENARIOS], help="default: all")
    holds = True
    for name in parser.parse_args().scenario or SCENARIOS:
        before = os.getloadavg()[0]
        with servers.app() as server:
            found = asyncio.run(SCENARIOS[name](server))
        print(table(name, found), f"  (load of the machine before: {before:.2f})", "", sep="\n", flush=True)
        holds = holds and all(finding.holds for finding in found)
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
