#!/usr/bin/env python3
"""Writes the C table of job files that are compiled in, for `fiord preset`.

Usage: presettext.py FILE...
"""
import os
import sys


def lines(text):
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?").replace("\n", "\\n")
        yield '\t"%s"' % escaped


def main():
    print('#include <stddef.h>\n#include "presets.h"\n\nconst struct preset_text preset_texts[] = {')
    for path in sorted(sys.argv[1:]):
        with open(path, encoding="ascii") as f:
            text = f.read()
        if len(text) > 4000:
            sys.exit("%s: a compiler need not accept string literals of more than 4095 characters" % path)
        print('{ "%s",\n%s },' % (os.path.splitext(os.path.basename(path))[0], "\n".join(lines(text))))
    print("{ NULL, NULL },\n};")


main()
