"""What `./dev run` shows when it is given nothing to run."""
import shlex
import subprocess

from building import ROOT

STEPS = [
    ("Exact noise, as integers: five draws of discrete Laplace noise of scale 100.",
     "dither noise --law discrete-laplace --scale 100 --count 5"),
    ("The discrete Gaussian; any rational sigma will do.",
     "dither noise --law discrete-gaussian --sigma 5/2 --count 5"),
    ("A million draws beside the exact law they came from.",
     "dither noise --law discrete-laplace --scale 100 --count 1000000 --summary"),
    ("The same for programs.",
     "dither noise --law discrete-gaussian --sigma 10 --count 3 --json"),
    ("Every law there is.",
     "dither noise --list"),
    ("What three kinds of releases about the same people cost together.",
     "dither account examples/events.yaml --delta 1e-6"),
    ("The least Gaussian noise for a budget.",
     "dither calibrate gaussian --epsilon 1 --delta 1e-6"),
    ("A mistake is named, and so is the way out.",
     "dither noise --law discrete-laplace --scale -1 --count 5"),
]


def tour(dither):
    for words, command in STEPS:
        print(f"\n{words}\n$ {command}", flush=True)
        subprocess.run([dither, *shlex.split(command)[1:]], cwd=ROOT, check=False)
    print("\nNow try your own: ./dev run noise --help, ./dev run account --help")
