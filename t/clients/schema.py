#!/usr/bin/env python3
"""Compares JSON documents with json-keys.txt, in both directions: schema.py [--until=VERSION] [--without=WHEN]... LIST DOCUMENT...

Each key of a document must be in the list, with its type and place. Each key of the list must be in each object that it
belongs to if it is unconditional, and otherwise in one of the documents (unless --without names its condition). --until
leaves out keys of later versions, and permits duplicate keys, as fio 3.33 prints them. Keys below "fiord" are ignored.
"""
import json
import sys


class Float(float):
    """A number with a decimal point in the text."""


KIND = {dict: "object", list: "array", str: "string", int: "int", Float: "float", bool: "bool", type(None): "null"}
GROUPS = {"DIR": ["read", "write", "trim"], "SIDE": ["read", "write"], "LAT": ["slat_ns", "clat_ns", "lat_ns"]}
FREE = ("percentile", "bins", "job options", "global options")


class Key:
    def __init__(self, place, kind, when, since):
        self.place, self.kind, self.when, self.since = place, kind, when, since
        self.seen = False


def expanded(path):
    for word, names in GROUPS.items():
        if word in path.split(".") or word + "[]" in path.split("."):
            return [p for name in names for p in expanded(path.replace(word, name, 1))]
    return [path]


def read_list(name, until):
    keys = {}
    for line in open(name, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        path, kind, when, since = (line.rstrip("\n").split(";") + ["", ""])[:4]
        if since and until and [int(x) for x in since.split(".")] > [int(x) for x in until.split(".")]:
            continue
        for p in expanded(path):
            keys[p] = Key(len(keys), kind, when, since)
    for path, key in list(keys.items()):
        if not key.kind.startswith("as "):
            continue
        other = key.kind[3:]
        key.kind = "object"
        for p, k in list(keys.items()):
            if p.startswith(other + ".") and ".prios" not in p:
                keys[path + p[len(other):]] = Key(key.place + k.place / 1e6, k.kind, k.when, k.since)
    return keys


class Check:
    def __init__(self, keys):
        self.keys, self.problems = keys, []
        self.children = {}
        for path in keys:
            if path.endswith("[]"):
                continue
            parent, _, name = path.rpartition(".")
            self.children.setdefault(parent, {})[name] = keys[path]

    def say(self, text):
        if text not in self.problems:
            self.problems.append(text)

    def generic(self, path, name):
        last = path.rpartition(".")[2]
        if last in FREE:
            return "*"
        return "cpu-*" if last == "cpu_idleness" and name.startswith("cpu-") else name

    def value(self, path, v):
        key, kind = self.keys[path], KIND[type(v)]
        key.seen = True
        if kind != key.kind and not (key.kind == "number" and kind in ("int", "float")):
            self.say(f"{path}: {kind}, not {key.kind}")
            return
        if kind == "object":
            self.object(path, v)
        elif kind == "array":
            for item in v:
                self.value(path + "[]", item)

    def object(self, path, v):
        place = -1
        for name, item in v.items():
            if name == "fiord":
                continue
            name = self.generic(path, name)
            p = f"{path}.{name}" if path else name
            if p not in self.keys:
                self.say(f"{p}: not a key of fio")
                continue
            if self.keys[p].place < place:
                self.say(f"{p}: not in its place")
            place = self.keys[p].place
            self.value(p, item)
        for name, key in self.children.get(path, {}).items():
            if not key.when and name not in v:
                self.say(f"{path}.{name}: missing")
        if "N" in v and (v["N"] == 0) and ("percentile" in v or "bins" in v):
            self.say(f"{path}: percentiles of nothing")


def no_doubles(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key twice: " + ", ".join(sorted(k for k in keys if keys.count(k) > 1)))
    return dict(pairs)


def main(args):
    until, without = None, set()
    while args and args[0].startswith("--"):
        option, _, text = args.pop(0).partition("=")
        if option == "--until":
            until = text
        else:
            without.add(text)
    check = Check(read_list(args.pop(0), until))
    for name in args:
        with open(name, encoding="utf-8") as f:
            check.object("", json.load(f, parse_float=Float, object_pairs_hook=None if until else no_doubles))
    for path, key in check.keys.items():
        if not key.seen and key.when not in without and not (set(key.when.split()) & without):
            if not any(path.startswith(p + s) for p, k in check.keys.items() if not k.seen for s in (".", "[")):
                check.say(f"{path}: in none of the documents ({key.when or 'always there'})")
    print("\n".join(check.problems) or f"{len(check.keys)} keys in {len(args)} documents")
    return bool(check.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
