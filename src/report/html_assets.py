#!/usr/bin/env python3
"""Writes the style and the script of the page as C arrays.

Usage: html_assets.py html.css html.js
"""
import re
import sys


def small(text):
    """The text without comments, indentation and empty lines."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def array(name, data):
    numbers = ", ".join(str(b) for b in data + b"\0")
    return "const char %s[] = { %s };\n" % (name, numbers)


def main():
    out = '#include "html_page.h"\n'
    for name, path in zip(("style", "script"), sys.argv[1:]):
        with open(path, encoding="utf-8") as f:
            data = small(f.read()).encode("ascii")
        out += array("html_" + name, data)
    sys.stdout.write(out)


main()
