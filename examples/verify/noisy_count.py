"""A mechanism to be tested: how many rows there are, with two-sided geometric noise. Epsilon is 1 / scale."""
import json
import random
import sys

scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0


def noise():
    """The whole part of an exponential number is geometric."""
    return int(random.expovariate(1 / scale))


for line in sys.stdin:
    question = json.loads(line)
    for _ in range(question["runs"]):
        print(len(question["input"]) + noise() - noise())
    sys.stdout.flush()
