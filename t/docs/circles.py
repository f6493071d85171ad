#!/usr/bin/env python3
"""Finds source files that call each other in a circle, from the symbols of the built objects.

circles.py BUILD [-v]     prints every circle of two or more files, largest first
circles.py BUILD LIMITS   fails if a folder has a larger circle than LIMITS allows

LIMITS has a line "FOLDER FILES" for each folder that may have a circle of more than three files, with the reason.
"""
import glob
import os
import subprocess
import sys

sys.setrecursionlimit(10000)
DEFAULT = 3


def symbols(paths):
    """Returns for each object the symbols that it defines and those that it uses."""
    found = {path: (set(), set()) for path in paths}
    lines = subprocess.run(["nm", "-gA", *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        path, _, rest = line.rpartition(":")
        fields = rest.split()
        if len(fields) == 3 and fields[1] in "TDBRVWC":
            found[path][0].add(fields[2])
        elif len(fields) == 2 and fields[0] == "U":
            found[path][1].add(fields[1])
    return found


def objects(build):
    """Yields (folder, file, path of the object)."""
    for path in glob.glob(os.path.join(build, "lib*.a.p", "*.c.o")):
        folder = os.path.basename(os.path.dirname(path))[3:-4]
        name = os.path.basename(path)[:-4]
        for prefix in ("src_" + folder + "_", folder + "_", "meson-generated_.._" + folder + "_"):
            if name.startswith(prefix):
                name = name[len(prefix):]
        yield folder, name, path


def graph(build):
    owner, uses, calls = {}, {}, {}
    files = list(objects(build))
    found = symbols([path for _, _, path in files])
    for folder, name, path in files:
        defined, used = found[path]
        for s in defined:
            owner[s] = (folder, name)
        uses[(folder, name)] = used
    for file, used in uses.items():
        calls[file] = {}
        for s in used:
            if s in owner and owner[s] != file:
                calls[file].setdefault(owner[s], []).append(s)
    return calls


def circles(calls):
    """The strongly connected components of two or more files (Tarjan's algorithm)."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in calls[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            circle = []
            while not circle or circle[-1] != v:
                circle.append(stack.pop())
                on.discard(circle[-1])
            if len(circle) > 1:
                found.append(sorted(circle))

    for v in sorted(calls):
        if v not in index:
            visit(v)
    return sorted(found, key=len, reverse=True)


def show(circle, calls, verbose):
    print(len(circle), " ".join(folder + "/" + name for folder, name in circle))
    for a in circle if verbose else []:
        for b in sorted(calls[a]):
            if b in circle:
                print("   ", a[1], "->", b[1], ", ".join(sorted(calls[a][b])))


def main():
    calls = graph(sys.argv[1])
    if len(calls) < 100:
        sys.exit("circles.py: only %u objects below %s" % (len(calls), sys.argv[1]))
    found = circles(calls)
    limits = {}
    judge = len(sys.argv) > 2 and sys.argv[2] != "-v"
    if judge:
        with open(sys.argv[2], encoding="utf-8") as f:
            limits = {line.split()[0]: int(line.split()[1]) for line in f if line.strip() and line[0] != "#"}
    bad = 0
    for circle in found:
        folders = {folder for folder, _ in circle}
        allowed = limits.get(next(iter(folders)), DEFAULT) if len(folders) == 1 else limits.get("+".join(sorted(folders)), 0)
        too_large = len(circle) > allowed
        if too_large or not judge:
            show(circle, calls, too_large or "-v" in sys.argv)
        bad += too_large
    if judge and bad:
        sys.exit("%u circles are larger than allowed" % bad)


main()
