"""python3 vectors/python [--engine FILE] [--level float32]: checks an engine; without one, the formulas in NumPy.

FILE defines a function per operation, named with underscores (`rotate(inputs, parameters)` returns a dict), or `engine`, an object
with such methods. Operations that it lacks are reported as not offered, and so are calls that raise NotImplementedError.
"""
import argparse
import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import runner  # noqa: E402
from numpy_engine import NumpyEngine  # noqa: E402


def loaded(path):
    spec = importlib.util.spec_from_file_location("engine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "engine", module)


def options():
    parser = argparse.ArgumentParser(prog="vectors/python", description="Checks an engine against the test vectors.")
    parser.add_argument("--engine", help="Python file with a function per operation")
    parser.add_argument("--cases", type=Path, default=runner.FOLDER, help="folder of cases with index.json")
    parser.add_argument("--level", choices=runner.LEVELS, default="strict", help="how exact results must be")
    parser.add_argument("--dtype", default="float64", help="type of the inputs: float64, float32 or float16")
    parser.add_argument("--torch", action="store_true", help="give the engine tensors of PyTorch")
    parser.add_argument("--topic", action="append", help="only cases of this topic; may be repeated")
    parser.add_argument("--skip-tag", action="append", default=[], help="no cases with this tag; may be repeated")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    return parser.parse_args()


def chosen(cases, args):
    known = {case["topic"] for case in cases}
    for topic in set(args.topic or ()) - known:
        sys.exit(f"vectors: unknown topic {topic!r}; topics: {', '.join(sorted(known))}")
    tags = {tag for case in cases for tag in case["tags"]}
    for tag in set(args.skip_tag) - tags:
        sys.exit(f"vectors: unknown tag {tag!r}; tags: {', '.join(sorted(tags))}")
    return [c for c in cases if c["topic"] in (args.topic or known) and not set(c["tags"]) & set(args.skip_tag)]


def converter(args):
    if not args.torch:
        return lambda array: array
    import torch

    return torch.from_numpy


def main():
    args = options()
    cases = chosen(runner.load(args.cases), args)
    engine = loaded(args.engine) if args.engine else NumpyEngine()
    results = runner.run(engine, cases, level=args.level, dtype=args.dtype, convert=converter(args))
    for case in cases:
        status, reason = results[case["name"]]
        if status == "failed":
            faults = "".join(f"\n    has caught: {one['fault']}" for one in case["caught"])
            print(f"failed: {case['name']} ({case['title']})\n    {reason}{faults}")
    count = Counter(status for status, _ in results.values())
    if args.json:
        rows = {name: {"status": status, "reason": reason} for name, (status, reason) in results.items()}
        args.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    print(f"vectors: {count['passed']} passed, {count['failed']} failed, {count['not offered']} not offered")
    sys.exit(1 if count["failed"] or not count["passed"] else 0)


main()
