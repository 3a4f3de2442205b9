"""Writes vectors/cases and their index: python3 vectors/generate (the standard library is enough)."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from attention_cases import attention_cases  # noqa: E402
from case import SCHEMA  # noqa: E402
from other_cases import other_cases  # noqa: E402
from rotary_cases import rotary_cases  # noqa: E402


def text_of(value, depth=0):
    """JSON with one line per field and short lists on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    is_array = isinstance(value, dict) and set(value) == {"shape", "dtype", "values"}
    if is_array or len(flat) + 2 * depth <= 120 or not isinstance(value, (dict, list)):
        return flat
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key)}: {text_of(part, depth + 1)}" for key, part in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{outer}}}"
    return "[\n" + ",\n".join(inner + text_of(part, depth + 1) for part in value) + f"\n{outer}]"


def main(folder):
    shutil.rmtree(folder, ignore_errors=True)
    cases = [*rotary_cases(), *other_cases(), *attention_cases()]
    for one in cases:
        path = folder / f"{one['name']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(one) + "\n", encoding="utf-8")
    index = {"schema": SCHEMA, "cases": sorted(one["name"] for one in cases)}
    (folder / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
    print(f"{len(cases)} cases in {folder}")


main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "cases")
