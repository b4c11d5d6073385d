"""Every vector of docs/bounding.md, computed again from the definition there with nothing but hashlib and integers."""
import hashlib
import re
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/bounding.md"
P = 2**61 - 1
A = int("243F6A8885A308D", 16)
B = int("B7E151628AED2A6", 16)
CITIES = ["tAmsterdam", "tBerlin", "tBern", "tGeneva", "tOslo", "tZürich"]


def key_digest(canonical):
    return int(hashlib.sha256(canonical.encode()).hexdigest()[:15], 16) + 1


def unit_digest(canonical):
    if canonical.startswith("i"):
        return max(((int(canonical[1:]) % P * A + B) % P)**2 % P, 1)
    return key_digest(canonical)


def bounding_hash(unit, key):
    return unit_digest(unit) * key_digest(key) % P


def kept(unit, keys, limit):
    return sorted(keys, key=lambda key: (bounding_hash(unit, key), key.encode()))[:limit]


def rows(heading):
    """The rows of the table under a heading, without its head; cells without spaces and quotes."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


class Vectors(unittest.TestCase):
    def test_constants_are_written_as_numbers_too(self):
        text = PAGE.read_text(encoding="utf-8")
        for number in (P, A, B):
            self.assertRegex(text, rf"\b{number}\b")

    def test_digests(self):
        table = rows("Vectors: digests")
        self.assertEqual([row[0] for row in table],
                         ["i0", "i1", "i-1", f"i{-2**63}", f"i{2**63 - 1}", "t", "ta", "tZürich"])
        for canonical, as_unit, as_key in table:
            self.assertEqual((int(as_unit), int(as_key)), (unit_digest(canonical), key_digest(canonical)), canonical)

    def test_hashes(self):
        table = rows("Vectors: hashes")
        self.assertEqual(len(table), 21)
        for unit, key, value in table:
            self.assertEqual(int(value), bounding_hash(unit, key), (unit, key))

    def test_kept_keys(self):
        table = rows("Vectors: kept keys")
        self.assertEqual(len(table), 6)
        for unit, names in table:
            self.assertEqual(re.findall(r"[^`, ]+", names), kept(unit, CITIES, 3), unit)

    def test_nothing_exceeds_what_engines_hold(self):
        largest = max((P - 1) * (P - 1), (P - 1) * A + B)
        self.assertLess(largest, 2**122)
        self.assertLess(largest, 10**38)


if __name__ == "__main__":
    unittest.main()
