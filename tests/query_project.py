"""A project of one table of visits, for the tests of `dither query`."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DITHER = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release")) / "apps/cli/dither"


def project(columns, bounds, source="visits.csv", delta="0"):
    """The text of dither.yaml. `columns` are those beside the person, each as the file declares it."""
    lines = "".join(f"      {name}: {{{declared}}}\n" for name, declared in columns.items())
    return f"""version: 1
data_version: "1"
privacy: {{unit: person, neighbours: add-remove}}
tables:
  visits:
    source: {source}
    unit: person
    bounds: {{{bounds}}}
    columns:
      person: {{type: integer}}
{lines}budgets:
  main: {{epsilon: 1000, delta: {delta}}}
"""
