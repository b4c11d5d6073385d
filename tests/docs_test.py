"""Links between documents lead somewhere, and pages made from the code are what the code says."""
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DITHER = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release")) / "apps/cli/dither"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def broken_links(root):
    pages = [path for path in sorted(root.rglob("*.md")) if "build" not in path.relative_to(root).parts]
    for page in pages:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if not re.match(r"\w+:", target) and not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: {target}"


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        self.assertEqual(list(broken_links(ROOT)), [])

    def test_every_room_has_a_readme(self):
        missing = [path.name for path in sorted((ROOT / "src").iterdir()) if not (path / "README.md").exists()]
        self.assertEqual(missing, [])

    def test_the_page_of_functions_is_what_the_command_prints(self):
        printed = subprocess.run([DITHER, "functions", "--markdown"], check=True, capture_output=True, text=True).stdout
        self.assertEqual((ROOT / "docs/sql.md").read_text(encoding="utf-8"), printed, "run ./dev docs")

    def test_scripts_can_be_started(self):
        for name in ("dev", ".ci/run"):
            self.assertEqual(subprocess.run(["test", "-x", ROOT / name], check=False).returncode, 0, name)


if __name__ == "__main__":
    unittest.main()
