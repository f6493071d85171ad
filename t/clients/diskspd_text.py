#!/usr/bin/env python3
"""diskspd_text.py LAYOUT FILE: reads DISKSPD's text report by its columns, as scripts for that version do.

Each row of a table has its bars below those of the heading, each cell is a number of the documented form, the rows add up
to the total, and the columns are those of the layout. Prints each error and exits 1 if it finds any.
"""
import re
import sys

RATE = {'2.0': 'MB/s', '2.0.17': 'MB/s'}
IO = ['thread', 'bytes', 'I/Os', None, 'I/O per s']
FORM = {'bytes': r'\d+', 'I/Os': r'\d+', 'MB/s': r'\d+\.\d\d', 'MiB/s': r'\d+\.\d\d', 'I/O per s': r'\d+\.\d\d',
        'IopsStdDev': r'\d+\.\d\d', 'AvgLat': r'\d+\.\d{3}', 'LatStdDev': r'\d+\.\d{3}|N/A'}
BEFORE_22 = ['2.0', '2.0.17', '2.0.21', '2.1']
SIZE = {'2.0': r'\d+(GB|MB|KB|B)', '2.0.17': r'\d+(GB|MB|KB|B)'}
NINES = {'2.0': 8}

problems = []


def wrong(text):
    problems.append(text)


def cells(line):
    return [c.strip() for c in line.split('|')]


def bars(line):
    return [i for i, c in enumerate(line) if c == '|']


def io_table(lines, layout, latency, iops):
    """Checks a table: a heading, a rule, rows, a rule, the total."""
    stats = ['AvgLat', 'IopsStdDev', 'LatStdDev']
    want = [c or RATE.get(layout, 'MiB/s') for c in IO]
    want += [c for c in stats if (iops if c == 'IopsStdDev' else latency)] + ['file']
    heading = lines[0]
    if cells(heading) != want:
        wrong('columns %s, not %s' % (cells(heading), want))
        return
    sums = [0, 0]
    for n, line in enumerate(lines[2:], 2):
        if line.startswith('-'):
            break
        row = cells(line)
        if bars(line) != bars(heading):
            wrong('bars of "%s"' % line)
        for name, value in list(zip(want, row))[1:-1]:
            if not re.fullmatch(FORM[name], value):
                wrong('%s is "%s"' % (name, value))
        if not re.fullmatch(r'.+ \(%s\)' % SIZE.get(layout, r'\d+(\.\d\d)?[KMGT]iB'), row[-1]):
            wrong('file is "%s"' % row[-1])
        sums = [s + int(v) for s, v in zip(sums, row[1:3])]
    total = cells(re.sub('^total:', '0 |', lines[n + 1], count=1))
    if len(total) != len(want) - 1 or [int(v) for v in total[1:3]] != sums:
        wrong('total is %s, the rows are %s' % (total, sums))


def cpu_table(lines):
    heading = lines[0]
    want = ['CPU', 'Usage', 'User', 'Kernel', 'Idle']
    if cells(heading)[-len(want):] != want:
        wrong('columns %s, not %s' % (cells(heading), want))
    if len(lines[1]) < len(heading) or set(lines[1]) != {'-'}:
        wrong('the rule below "%s"' % heading)
    rules = 0
    for line in lines[1:]:
        rules += line.startswith('-')
        if line.startswith('-'):
            continue
        if line.startswith('avg.'):
            line = line if rules == 2 else wrong('avg. is not behind the second rule') or line
        elif bars(line) != bars(heading):
            wrong('bars of "%s"' % line)
        use = cells(line)[1 - len(want):]
        if not all(re.fullmatch(r'\d+\.\d\d%', u) for u in use):
            wrong('processor "%s"' % line)
            continue
        use = [float(u[:-1]) for u in use]
        if abs(use[0] - use[1] - use[2]) > .02 or abs(use[0] + sum(use[3:]) - 100) > .03:
            wrong('processor "%s" does not add up' % line)
        if line.startswith('avg.'):
            break


def main(layout, name):
    with open(name, encoding='utf-8') as f:
        lines = f.read().split('\n')
    latency = '\tmeasuring latency' in lines or '    measuring latency' in lines
    iops = any('gathering IOPS at intervals' in line for line in lines)
    tables = [i for i, line in enumerate(lines) if line.startswith('thread |       bytes')]
    if [lines[i - 1] for i in tables] != ['Total IO', 'Read IO', 'Write IO']:
        wrong('tables: %s' % [lines[i - 1] for i in tables])
    for i in tables:
        io_table(lines[i:], layout, latency, iops)
    at = [i for i, line in enumerate(lines) if re.match(r'(\w+ +\| )*CPU \|', line)]
    cpu_table(lines[at[0]:])
    start = lines.index('*' * 79) + 2
    head = [line.split(':')[0] for line in lines[start:lines.index('', start)]]
    if head != ['actual test time', 'thread count'] + (['proc count'] if layout in BEFORE_22 else []):
        wrong('header lines %s' % head)
    rows = [line.split('|')[0].strip() for line in lines if re.match(r' *(min|\d+th|\d-nines|max) \|', line)]
    nines = NINES.get(layout, 9)
    if latency and rows[-1 - (nines - 2):] != ['%u-nines' % n for n in range(3, nines + 1)] + ['max']:
        wrong('percentiles %s' % rows)
    block = [line.strip() for line in lines if line.strip().startswith('block size: ')]
    if block != ['block size: ' + ('4096' if layout in BEFORE_22 and layout != '2.1' else '4KiB')]:
        wrong('%s' % block)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
