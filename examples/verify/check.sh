#!/bin/sh
# A check for a build: the mechanism as it is, then with half of its noise, which must be noticed.
cd "$(dirname "$0")" || exit 2
dither verify --command "python3 noisy_count.py 1.0" --claim 1.0 --inputs pairs.jsonl --runs 20000 || exit 1
dither verify --command "python3 noisy_count.py 0.5" --claim 1.0 --inputs pairs.jsonl --runs 20000
test $? -eq 1
