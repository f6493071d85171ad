#!/usr/bin/env python3
"""Writes the C table of `fiord help OPTION`: prose of options as plain text, and an example of each.

Usage: helptext.py FILE...  The prose is in NAME.scd; examples are the sections of the *.ini files.
"""
import os
import re
import sys
import textwrap

WIDTH = 78


def plain(text):
    """scdoc without its marks: *bold*, _underlined_, \\escaped."""
    out, underlined, i = "", False, 0
    while i < len(text):
        c = text[i]
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        if c == "\\" and after:
            out += after
            i += 1
        elif c == "_" and (not before.isalnum() or (underlined and not after.isalnum())):
            underlined = not underlined
        elif c != "*":
            out += c
        i += 1
    return out


def prose(text):
    """Paragraphs and lists filled to the width of a screen; lines that begin with a tab stay."""
    blocks = []
    for line in text.split("\n"):
        kind = "code" if line.startswith("\t") else "item" if line.startswith("- ") else "text" if line else "gap"
        if kind == "text" and blocks and blocks[-1][0] in ("text", "item"):
            blocks[-1][1] += " " + line
        else:
            blocks.append([kind, line])
    out = []
    for kind, line in blocks:
        if kind == "code":
            out.append("    " + line.strip("\t"))
        elif kind == "gap":
            out.append("")
        else:
            out.append(textwrap.fill(plain(line), WIDTH, subsequent_indent="  " if kind == "item" else "",
                                     break_long_words=False, break_on_hyphens=False))
    return "\n".join(out).strip("\n") + "\n"


def examples(path):
    """(option, text of its section) for each line of a job file."""
    section, names = [], []
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for line in lines + ["["]:
        if line.startswith("["):
            text = "".join("  %s\n" % s for s in section if s and not s.startswith(("#", ";")))
            yield from ((name, text) for name in names)
            section, names = [line], []
        else:
            section.append(line)
            m = re.match(r"([a-z][a-z0-9_-]*)\s*(=|$)", line)
            names += [m.group(1)] if m else []


def shortest_examples(paths):
    """Of each option the shortest section that uses it; a file with the option's name comes first, and
    lines that make no job come last."""
    best = {}
    for path in sorted(paths):
        for name, text in examples(path):
            if not text.startswith("  ["):
                continue
            base = os.path.basename(path)
            rank = (base != name + ".ini", "rw=" not in text and "ioengine=" not in text, len(text))
            if name not in best or rank < best[name][0]:
                best[name] = (rank, os.path.join(os.path.basename(os.path.dirname(path)), base), text)
    return best


def literal(text):
    if text is None:
        return "NULL"
    escaped = (s.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") for s in text.split("\n"))
    return '"%s"' % '\\n"\n"'.join(escaped)


def main():
    notes, jobs = {}, []
    for path in sys.argv[1:]:
        name, ext = os.path.splitext(os.path.basename(path))
        if ext == ".scd":
            with open(path, encoding="utf-8") as f:
                notes[name] = prose(f.read())
        else:
            jobs.append(path)
    best = shortest_examples(jobs)
    print('#include <stddef.h>\n#include "help_topic.h"\n\nconst struct help_text help_texts[] = {')
    for name in sorted(set(notes) | set(best)):
        _, where, text = best.get(name, (None, None, None))
        print("{ %s, %s, %s, %s }," % (literal(name), literal(notes.get(name)), literal(where), literal(text)))
    print("{ NULL, NULL, NULL, NULL },\n};")


main()
