"""Every vector of docs/bounding.md, computed again from the definition there with nothing but hashlib and integers."""
import hashlib
import re
import unittest
from fractions import Fraction
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


def counted(unit, rows, per_key, per_unit):
    """Rows that count, by key."""
    may = {key: min(n, per_key) for key, n in rows.items()}
    together = sum(may.values())
    if together <= per_unit:
        return may
    shares = {key: Fraction(per_unit * c, together) for key, c in may.items()}
    given = {key: int(share) for key, share in shares.items()}
    order = sorted(rows, key=lambda key: (given[key] - shares[key], bounding_hash(unit, key), key.encode()))
    for key in order[:per_unit - sum(given.values())]:
        given[key] += 1
    return given


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

    def test_rows_that_count(self):
        table = rows("Vectors: rows that count")
        self.assertEqual(len(table), 11)
        for unit, words, per_key, per_unit, count in table:
            of_key = {key: int(n) for key, n in re.findall(r"`?(t\w+)` (\d+)", words)}
            expected = counted(unit, of_key, int(per_key), int(per_unit))
            self.assertEqual([int(n) for n in count.split(", ")], list(expected.values()), (unit, words))
            self.assertLessEqual(sum(expected.values()), int(per_unit))

    def test_scaled_totals(self):
        table = rows("Vectors: scaled totals")
        self.assertEqual(len(table), 17)
        for row in table:
            total, n, t, finer, added = map(int, row)
            self.assertEqual(added, round(Fraction(total * 2**finer * t, n)), row)  # half to even
        self.assertTrue(any(Fraction(int(s) * 2**int(f) * int(t), int(n)).denominator == 2 for s, n, t, f, _ in table))

    def test_nothing_exceeds_what_engines_hold(self):
        largest = max((P - 1) * (P - 1), (P - 1) * A + B)
        self.assertLess(largest, 2**122)
        self.assertLess(largest, 10**38)
        self.assertLess(2**63 * 2**62, 10**38)  # S * 2^f * t


if __name__ == "__main__":
    unittest.main()
