#!/usr/bin/env python3
"""Does the manual say of each option of fio that it works, or why it does not?

Usage: fio_options.py FIORD PAGE.scd NAMES, where PAGE.scd is fiord-job(5) with the references of the rows filled in.
The expected names are those of fio 3.42's documentation (t/unit/fio-option-names.txt)."""
import os
import re
import subprocess
import sys

WORKS, OTHERS = {"OPTIONS", "ENGINES"}, {"OTHER NAMES", "ENGINES THAT FIORD DOES NOT INCLUDE"}
NO_REASON = re.compile(r"\b(not yet|yet|todo|later version|does not implement)\b", re.I)


def plain(text):
    return re.sub(r"\\(.)", r"\1", text)


def bold(text):
    return [plain(word) for word in re.findall(r"(?<!\\)\*((?:\\.|[^*\\])+)\*", text)]


def read_entries(path):
    """Returns {name: [(section, text)]}: of each entry, whose head begins a line with a bold name."""
    entries, section, current = {}, None, None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("# "):
            section, current = line[2:], None
        elif line.startswith("*") and section in WORKS | OTHERS:
            current = [section, ""]
            for name in bold(line):
                entries.setdefault(name, []).append(current)
        elif line.startswith("\t") and current:
            if not current[1]:
                also = re.search(r" Also: ((?:\*[^*]+\*(?:, )?)+)", line)
                for name in bold(also.group(1)) if also else []:
                    entries.setdefault(name, []).append(current)
            current[1] += plain(line.strip()) + " "
        elif line and not line.startswith("\t"):
            current = None
    return entries


def status_of(fiord, name):
    """Returns what --cmdhelp says: (status, reason)."""
    out = subprocess.run([fiord, "--cmdhelp=" + name], stdout=subprocess.PIPE, text=True, check=False).stdout
    found = re.search(r"^ *status: ([^:\n]+)(?:: (.*))?$", out, re.M)
    return (found.group(1), found.group(2)) if found else (None, None)


def judge(name, status, reason, entries):
    """Returns the fault of one option, or None."""
    if status is None:
        return "--cmdhelp does not know it"
    sections = WORKS if status == "supported" else OTHERS
    texts = [text.strip() for section, text in entries.get(name, []) if section in sections]
    if not texts:
        return "--cmdhelp: %s, and the manual has no entry in %s" % (status, " or ".join(sorted(sections)))
    if status == "supported":
        return None if any(len(text.split()) > 1 for text in texts) else "works, and the manual describes it nowhere"
    if not reason or len(reason.split()) < 3:
        return "%s without a reason" % status
    if reason not in texts:
        return "the manual lacks the reason: " + reason
    if NO_REASON.search(reason):
        return "this is no reason: " + reason
    return None


def main():
    fiord, page, names = sys.argv[1:]
    if not os.path.exists(page):
        print("SKIP no manual was built (no scdoc)")
        sys.exit(77)
    entries = read_entries(page)
    names = [line.split()[0] for line in open(names, encoding="utf-8") if not line.startswith("#")]
    count, bad = {}, 0
    for name in names:
        status, reason = status_of(fiord, name)
        fault = judge(name, status, reason, entries)
        count[status] = count.get(status, 0) + 1
        if fault:
            bad += 1
            print("FAIL %s: %s" % (name, fault))
    print("%d names: %s" % (len(names), ", ".join("%d %s" % (n, s) for s, n in sorted(count.items(), key=str))))
    if len(names) < 400 or bad:
        sys.exit(1)


main()
