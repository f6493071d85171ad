#!/usr/bin/env python3
"""Compares the device times over the run in a document and in its page with the log of a file system that turned slow
(slow_fs.c). Usage: device_heat.py DOCUMENT PAGE LOG [TIMES]. The page has the document so many times."""
import json
import re
import sys

FAST = 300
SLOW_NS = 39e6
device = json.load(open(sys.argv[1]))['jobs'][0]['fiord']['split'][0]['device']
page = open(sys.argv[2], encoding='utf-8').read()
times = int(sys.argv[4]) if len(sys.argv) > 4 else 1
log = [tuple(int(v) for v in line.split()) for line in open(sys.argv[3])]

# Each request is in an interval, and in the bins of the whole run. On a busy machine the programs miss one now and then.
cells = [(device['start_ms'] + i * device['interval_ms'], int(ns), n)
         for i, interval in enumerate(device['intervals']) for ns, n in interval.get('bins', {}).items()]
assert sum(n for _, _, n in cells) == device['N'] and 316 <= device['N'] <= 320, (cells, device['N'])
bins = {}
for _, ns, n in cells:
    bins[str(ns)] = bins.get(str(ns), 0) + n
assert bins == device['bins'], (bins, device['bins'])

# The last interval has slow requests alone. The file system turned slow when it had answered FAST reads: before that are most of
# the others, after that most of the slow ones. A parent that wakes up late cannot know which interval a request belongs to.
turned = log[FAST - 1][1]
slow = len(log) - FAST
last = max(at for at, _, _ in cells)
assert all(ns >= SLOW_NS for at, ns, _ in cells if at == last), cells
before = sum(n for at, _, n in cells if at + device['interval_ms'] <= turned)
after = sum(n for at, ns, n in cells if at + device['interval_ms'] > turned and ns >= SLOW_NS)
assert before > (device['N'] - slow) / 2, (turned, before, slow, cells)
assert after > slow / 2, (turned, after, slow, cells)

# The page: the rows of the table under the map, from the slowest down, have parts of the time as columns.
figure = re.search(r'<strong>Read device time heat map</strong>.*?</figure>', page, re.S).group()
assert '<path class="cell' in figure
assert '>requests: 1<' in figure and '>device time<' in figure and '>Time on the device<' in figure, figure
assert 'I/Os' not in figure and 'atency' not in figure, figure
rows = [[int(re.sub(r'\D', '', cell) or 0) for cell in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
        for row in re.findall(r'<tr>(.*?)(?=<tr>|</tbody>|</table>)', figure, re.S) if '<td' in row]
assert sum(map(sum, rows)) == times * device['N'], rows
columns = list(zip(*rows))


def most(column):
    return max(range(len(column)), key=lambda row: column[row])


used = [column for column in columns if sum(column)]
assert most(used[-1]) < most(used[0]), rows
assert sum(used[-1][most(used[0]):]) == 0, rows
