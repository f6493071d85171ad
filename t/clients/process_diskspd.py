#!/usr/bin/env python3
"""process_diskspd.py TABLE RESULT.xml...: does the table have the rows that Process-DiskSpd.ps1 makes of these results?

The rules are those of the script in Microsoft's repository, not fiord's. Prints one line for each difference.
"""
import csv
import os
import sys
import xml.etree.ElementTree as ElementTree

PERCENTILES = '25 50 75 90 95 99 99.9 99.99 99.999 100'.split()


def row_of(path):
    root = ElementTree.parse(path).getroot()
    texts = lambda where: [e.text for e in root.findall(where)]
    first = lambda where: (texts(where) + [None])[0]
    total = lambda name: sum(int(t) for t in texts('TimeSpan/Thread/Target/' + name))
    target = 'Profile/TimeSpans/TimeSpan/Targets/Target/'
    cpu = 'TimeSpan/CpuUtilization/'
    seconds = float(first('TimeSpan/TestTimeSeconds'))
    random = int(first(target + 'Random') or 0) > 0
    row = {
        'ResultFileName': os.path.basename(path).rsplit('.', 1)[0],
        'Path': first('TimeSpan/Thread/Target/Path'),
        'Affinity': str(first('Profile/TimeSpans/TimeSpan/DisableAffinity') != 'true'),
        'System': first('System/ComputerName') or '', 'TestTime': seconds,
        'WriteRatio': first(target + 'WriteRatio'), 'Pattern': 'Random' if random else 'Sequential',
        'Align': first(target + ('Random' if random else 'StrideSize')),
        'Threads': first('TimeSpan/ThreadCount'), 'Outstanding': first(target + 'RequestCount'),
        'Block': first(target + 'BlockSize'),
        'CPU': first(cpu + 'Average/UsagePercent'), 'CPUKern': first(cpu + 'Average/KernelPercent'),
        'CPUHotCore': max(map(float, texts(cpu + 'CPU/UsagePercent'))),
        'CPUHotCoreKern': max(map(float, texts(cpu + 'CPU/KernelPercent'))),
    }
    for way in ('Read', 'Write'):
        iops, size = total(way + 'Count') / seconds, total(way + 'Bytes')
        deviation = first('TimeSpan/Iops/' + way + 'IopsStdDev')
        row.update({way + 'IOPS': iops, way + 'BW': size / seconds, way + 'Bytes': size,
                    way + 'IOPSCoV': float(deviation) / iops if deviation and iops else '',
                    'Lat%sAV' % way: first('TimeSpan/Latency/Average%sMilliseconds' % way) or ''})
        for percentile in PERCENTILES:
            row['Lat' + way + percentile] = ''
    for bucket in root.findall('TimeSpan/Latency/Bucket'):
        for way in ('Read', 'Write'):
            value = bucket.findtext(way + 'Milliseconds')
            if bucket.findtext('Percentile') in PERCENTILES and value:
                row['Lat' + way + bucket.findtext('Percentile')] = value
    row['TotIOPS'] = row['ReadIOPS'] + row['WriteIOPS']
    row['TotBW'] = row['ReadBW'] + row['WriteBW']
    return row


def same(a, b):
    try:
        return abs(float(a) - float(b)) <= 1e-6 * max(1, abs(float(b)))
    except (TypeError, ValueError):
        return a == str(b)


def main(table, paths):
    with open(table, newline='', encoding='utf-8') as file:
        lines = file.readlines()
    rows = list(csv.DictReader(lines, delimiter='\t' if '\t' in lines[0] else ','))
    wrong = [] if len(rows) == len(paths) else ['%d rows of %d results' % (len(rows), len(paths))]
    for got, path in zip(rows, paths):
        want = row_of(path)
        if sorted(want, key=str.lower) != list(got):
            wrong.append('columns: %s' % ' '.join(got))
        wrong += ['%s: %s: %r, not %r' % (path, name, got.get(name), value)
                  for name, value in want.items() if not same(got.get(name), value)]
    print('\n'.join(wrong))
    return len(wrong) > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
