#!/usr/bin/env python3
"""Prints a compiled BPF object as a C array: objecttext.py FILE"""
import sys

data = open(sys.argv[1], "rb").read()
print("/* Made by objecttext.py from block_split.bpf.c. */")
print("static const unsigned char split_object[] __attribute__((aligned(8))) = {")
for at in range(0, len(data), 16):
    print("\t" + " ".join(f"{b}," for b in data[at:at + 16]))
print("};")
