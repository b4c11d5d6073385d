"""Keeps the rooms apart: who may include and link whom, exactly. The list is the one in docs/architecture.md."""
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FOLDERS = ("src", "apps", "python", "testing")

# Every room may use itself and base as well.
SESSION = ["plan", "engine", "ledger", "mechanisms", "calculus", "accounting"]
ASKED_FOR = ["sql", "release", "local", "learn", "federated"]
USES = {
    "base": [],
    "stats": [],
    "config": [],
    "show": [],
    "random": [],
    "accounting": ["config"],
    "calculus": ["accounting"],
    "mechanisms": ["calculus", "accounting", "random"],
    "plan": ["config", "accounting"],
    "engine": ["plan"],
    "ledger": ["accounting"],
    "session": SESSION,
    **{room: ["session", *SESSION, "stats"] for room in ASKED_FOR},
    **{room: [*ASKED_FOR, "session", *SESSION, "config", "random", "stats"]
       for room in ("audit", "evaluate", "domains")},
}
ALLOWED = {room: {room, "base", *uses} for room, uses in USES.items()}
APPS = set(USES) | {"apps", "cli"}  # apps use every room, and they alone use show; python/ uses cli's words and fields
TESTING = set(USES) | {"testing"}
FOR_TESTS = {"testing", "stats"}  # what a room's own tests and benchmarks may use besides
CHECK = "_check.h"  # what several tests of a room share: only tests include it

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
COMMAND = re.compile(r"^\s*(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.M)
TEST_ENDINGS = {"_test.cc": "dither_test", "_bench.cc": "dither_bench", "_fuzz.cc": "dither_fuzz"}


def room_of(path, root):
    """The room a file belongs to: "base" for src/base/..., "apps" for all of apps/ and python/, "testing"."""
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "src" else "apps" if parts[0] == "python" else parts[0]


def allowed_for(room):
    return APPS if room == "apps" else TESTING if room == "testing" else ALLOWED.get(room, set())


def ending_of(name):
    return next((ending for ending in TEST_ENDINGS if name.endswith(ending)), None)


def code_files(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".cc", ".h"))


def include_complaints(root):
    for path in code_files(root):
        room = room_of(path, root)
        name = path.relative_to(root)
        if room not in (*USES, "apps", "testing"):
            yield f"{name}: there is no room {room}"
            continue
        for_tests = ending_of(path.name) is not None or path.name.endswith(CHECK) or room == "testing"
        extra = FOR_TESTS if for_tests else set()
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = include.split("/")[0]
            if "/" not in include or ".." in include or target not in (*USES, "apps", "testing"):
                places = (root / "apps", root / "python/core")
                if not (room == "apps" and any((place / include).exists() for place in places)):
                    yield f'{name}: "{include}" does not name a room'
                continue
            if target not in allowed_for(room) | extra:
                yield f'{name}: {room} may not include "{include}"'
            if include.endswith(CHECK) and not for_tests:
                yield f'{name}: "{include}" is for tests alone'
            # testing/ plants its bugs in, and makes its sources from, what rooms keep private.
            if "detail" in include.split("/")[1:-1] and room not in (target, "testing"):
                yield f'{name}: "{include}" is private to {target}'


def commands(path):
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    return [(name, arguments.split()) for name, arguments in COMMAND.findall(text)]


def uses_in(words):
    """The words after USES, up to the next keyword."""
    if "USES" not in words:
        return []
    rest = words[words.index("USES") + 1:]
    return rest[:next((at for at, word in enumerate(rest) if word.isupper()), len(rest))]


def is_for_tests(target, path, root):
    return room_of(path, root) == "testing" or re.search(r"_(test|bench|fuzz)$", target) is not None


def link_complaints(root):
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("CMakeLists.txt")):
        room, name = room_of(path, root), path.relative_to(root)
        for command, words in commands(path):
            if command == "dither_room":
                linked, target = uses_in(words), f"dither_{words[0]}"
                if words[0] != room:
                    yield f"{name}: folder {room} builds room {words[0]}"
            elif command == "target_link_libraries":
                linked, target = [word[7:] for word in words[1:] if word.startswith("dither_")], words[0]
            else:
                continue
            extra = FOR_TESTS | {"test_main"} if is_for_tests(target, path, root) else set()
            for other in linked:
                if other not in allowed_for(room) | extra:
                    yield f"{name}: {target} may not link {other}"


def listing_complaints(root):
    for path in code_files(root):
        if path.suffix != ".cc":
            continue
        folder = next(parent for parent in path.parents if (parent / "CMakeLists.txt").exists() or parent == root)
        wanted = TEST_ENDINGS.get(ending_of(path.name))
        listed = folder != root and any(
            str(path.relative_to(folder)) in words for command, words in commands(folder / "CMakeLists.txt")
            if wanted in (None, command))
        if not listed:
            yield f"{path.relative_to(root)} is not listed in its CMakeLists.txt{f' by {wanted}' if wanted else ''}"


def complaints(root):
    return [*include_complaints(root), *link_complaints(root), *listing_complaints(root)]


class Rooms(unittest.TestCase):
    def test_tree_keeps_to_the_list(self):
        self.assertGreater(len(code_files(ROOT)), 10)
        found = complaints(ROOT)
        self.assertFalse(found, "\n".join(["", *found]))

    def test_list_has_no_cycle(self):
        done = set()
        while len(done) < len(USES):
            ready = {room for room in USES if room not in done and ALLOWED[room] - {room} <= done}
            self.assertTrue(ready, f"cycle among {set(USES) - done}")
            done |= ready

    def test_only_apps_use_show(self):
        self.assertEqual([room for room in USES if "show" in ALLOWED[room]], ["show"])


class Checker(unittest.TestCase):
    """The checker itself, on small made-up trees: it passes a right one and fails each wrong one."""

    RIGHT = {
        "src/base/CMakeLists.txt": "dither_room(base LIBS gmp SOURCES a.cc)\ndither_test(base a_test.cc)\n",
        "src/base/a.h": "", "src/base/a.cc": '#include "base/a.h"\n#include <vector>\n',
        "src/base/a_test.cc": '#include "base/a.h"\n#include "testing/t.h"\n#include "stats/s.h"\n',
        "src/stats/CMakeLists.txt": "dither_room(stats USES base)\n", "src/stats/s.h": "",
        "src/random/CMakeLists.txt": "dither_room(random USES base\n  LIBS OpenSSL::Crypto\n  SOURCES detail/r.cc)\n",
        "src/random/detail/r.h": "", "src/random/detail/r.cc": '#include "random/detail/r.h"\n#include "base/a.h"\n',
        "testing/CMakeLists.txt": "dither_room(testing USES random base SOURCES t.cc)\n",
        "testing/t.h": '#include "random/source.h"\n', "testing/t.cc": '#include "testing/t.h"\n',
        "apps/cli/CMakeLists.txt":
            "add_executable(dither main.cc)\ntarget_link_libraries(dither PRIVATE dither_show)\n",
        "apps/cli/main.cc": '#include "show/table.h"\n#include "random/source.h"\n', "apps/cli/words.h": "",
        "python/CMakeLists.txt":
            "nanobind_add_module(dither_python core/m.cc)\ntarget_link_libraries(dither_python PRIVATE dither_cli)\n",
        "python/core/m.h": "", "python/core/m.cc": '#include "m.h"\n#include "cli/words.h"\n#include "show/table.h"\n',
    }

    def check(self, files=()):
        """Complaints about the right tree with these files put into it."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.RIGHT, **dict(files)}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return complaints(Path(folder))

    def fails(self, name, text, words):
        found = self.check(files={name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_right_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_include_against_the_arrows(self):
        self.fails("src/base/a.cc", '#include "random/source.h"\n', 'base may not include "random/source.h"')

    def test_sideways_include(self):
        self.fails("src/random/detail/r.cc", '#include "stats/s.h"\n', 'random may not include "stats/s.h"')

    def test_testing_in_released_code(self):
        self.fails("src/random/detail/r.cc", '#include "testing/t.h"\n', 'random may not include "testing/t.h"')
        self.fails("apps/cli/main.cc", '#include "testing/t.h"\n', 'apps may not include "testing/t.h"')

    def test_checks_that_tests_share(self):
        check = {"src/base/b_check.h": '#include "testing/t.h"\n',
                 "src/base/a_test.cc": '#include "base/b_check.h"\n#include "testing/t.h"\n'}
        self.assertEqual(self.check(files=check), [])
        found = self.check(files={**check, "src/base/a.cc": '#include "base/b_check.h"\n'})
        self.assertEqual(found, ['src/base/a.cc: "base/b_check.h" is for tests alone'])

    def test_show_outside_apps(self):
        self.fails("src/base/a.h", '#include "show/table.h"\n', 'base may not include "show/table.h"')

    def test_other_rooms_detail(self):
        self.fails("apps/cli/main.cc", '#include "random/detail/r.h"\n', "is private to random")

    def test_python_is_an_app(self):
        self.fails("python/core/m.cc", '#include "random/detail/r.h"\n', "is private to random")
        self.fails("python/core/m.cc", '#include "testing/t.h"\n', 'apps may not include "testing/t.h"')
        self.fails("python/core/n.cc", "", "python/core/n.cc is not listed")
        self.fails("src/base/a.cc", '#include "cli/words.h"\n', "does not name a room")

    def test_include_without_a_room(self):
        self.fails("src/base/a.cc", '#include "a.h"\n', "does not name a room")
        self.fails("src/base/a.cc", '#include "../random/source.h"\n', "does not name a room")

    def test_unknown_room(self):
        found = self.check(files={"src/util/CMakeLists.txt": "dither_room(util)\n", "src/util/u.h": ""})
        self.assertEqual(found, ["src/util/u.h: there is no room util"])

    def test_uses_against_the_arrows(self):
        wrong = "dither_room(stats USES base random)\n"
        self.fails("src/stats/CMakeLists.txt", wrong, "dither_stats may not link random")

    def test_link_against_the_arrows(self):
        wrong = self.RIGHT["src/stats/CMakeLists.txt"] + "target_link_libraries(dither_stats PUBLIC dither_show)\n"
        self.fails("src/stats/CMakeLists.txt", wrong, "dither_stats may not link show")

    def test_released_program_links_testing(self):
        wrong = "add_executable(dither main.cc)\ntarget_link_libraries(dither PRIVATE dither_show\n  dither_testing)\n"
        self.fails("apps/cli/CMakeLists.txt", wrong, "dither may not link testing")

    def test_released_room_uses_testing(self):
        wrong = self.RIGHT["src/random/CMakeLists.txt"].replace("USES base", "USES base testing")
        self.fails("src/random/CMakeLists.txt", wrong, "dither_random may not link testing")

    def test_room_in_the_wrong_folder(self):
        self.fails("src/stats/CMakeLists.txt", "dither_room(show USES base)\n", "folder stats builds room show")

    def test_unlisted_source(self):
        self.fails("src/base/b.cc", "", "src/base/b.cc is not listed")

    def test_unlisted_test(self):
        self.fails("src/base/b_test.cc", "", "src/base/b_test.cc is not listed in its CMakeLists.txt by dither_test")

    def test_test_listed_as_source(self):
        text = "dither_room(base SOURCES a.cc a_test.cc)\n"
        self.fails("src/base/CMakeLists.txt", text, "by dither_test")

    def test_commented_out_test(self):
        text = "dither_room(base SOURCES a.cc)\n# dither_test(base a_test.cc)\n"
        self.fails("src/base/CMakeLists.txt", text, "by dither_test")


if __name__ == "__main__":
    unittest.main()
