"""Installs the Debian packages a verb needs, by group; the list with its tested versions is packages.txt.

A check costs one dpkg-query. Only when something is missing does apt run (as root), or are its commands printed.
"""
import os
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")


def read_list():
    """{group: {package: tested version}}"""
    groups = {}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            group, package, version = line.split()
            groups.setdefault(group, {})[package] = version
    return groups


def major(version):
    """The upstream major version: "1:14.0.6-12" is 14."""
    upstream = version.split(":", 1)[-1]
    return upstream.split(".")[0].split("~")[0].split("-")[0].split("+")[0]


def installed(packages):
    """{package: version} of those packages that are fully installed."""
    query = ["dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Status}\n", *packages]
    lines = subprocess.run(query, capture_output=True, text=True, check=False).stdout.splitlines()
    rows = [line.split("\t") for line in lines]
    return {package: version for package, version, status in rows if status == "install ok installed"}


def fail(message, hint):
    print(f"error: {message}\nhint:  {hint}", file=sys.stderr)
    sys.exit(2)


def require_debian_12():
    text = Path("/etc/os-release").read_text() if Path("/etc/os-release").exists() else ""
    system = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    name, version = (system.get(key, "unknown").strip('"') for key in ("ID", "VERSION_ID"))
    if (name, version) != ("debian", "12"):
        fail(f"this system is {name} {version}, but ./dev installs packages of Debian 12 only",
             "use a Debian 12 machine or container, or call cmake --preset release with your own packages")


def install(missing):
    commands = [["apt-get", "update", "-q"], ["apt-get", "install", "-y", "--no-install-recommends", *missing]]
    if subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip() != "0":
        lines = "\n".join("  " + " ".join(command) for command in commands)
        fail(f"missing packages: {' '.join(missing)}", f"run as root, then try again:\n{lines}")
    print(f"installing {' '.join(missing)}", file=sys.stderr)
    for command in commands:
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            fail(f"`{' '.join(command)}` failed", "see its messages above; is the network up and apt free?")


def need(*groups):
    """Makes sure every package of these groups is there in its tested major version, or exits with status 2."""
    known = read_list()
    wanted = {package: version for group in groups for package, version in known[group].items()}
    have = installed(wanted)
    missing = [package for package in wanted if package not in have]
    if missing:
        require_debian_12()
        install(missing)
        have = installed(wanted)
    for package, tested in wanted.items():
        if major(have.get(package, "none")) != major(tested):
            fail(f"{package} is {have.get(package, 'not installed')}, but Dither is tested with {tested}",
                 f"install {package} from Debian 12, or try the new major and record it in tools/packages.txt")
