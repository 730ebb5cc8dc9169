"""python -m tests.oracle check FILE_OR_FOLDER…  |  python -m tests.oracle run FILE [--json]"""

import argparse
import json
import sys

from . import scenario


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser(
        "check", help="play scenario files and compare with what they expect"
    )
    checking.add_argument("paths", nargs="+")
    running = commands.add_parser("run", help="play one scenario file and print the result")
    running.add_argument("file")
    running.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.command == "check":
        return check(given.paths)
    try:
        result, failures = scenario.run(scenario.load(given.file))
    except scenario.ScenarioError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        print("\n".join(result["log"]))
        print({key: value for key, value in result.items() if key != "log"})
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


def check(paths) -> int:
    bad = total = 0
    for path in scenario.files_of(paths):
        total += 1
        lines = scenario.check(path)
        bad += bool(lines)
        for line in lines:
            print(f"{path}: {line}")
    print(f"{total - bad} of {total} scenarios pass")
    return 1 if bad else 0


sys.exit(main())
