# csv_figures.py RESULT.json TABLE.csv: is every figure of the document in the table, under its name, and no other row?
import csv, json, sys

doc = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2], newline=''), strict=True))
bad = []

def same(cell, value, what):
    if (cell == '') != (value is None) or value is not None and abs(float(cell) - value) > 1e-6 * max(1, abs(value)):
        bad.append(f'{what}: {cell!r} in the table, {value!r} in the document')

def latency(row, kind, lat, what):
    n = lat['N'] if lat else 0
    for figure in 'min', 'mean', 'stddev', 'max':
        same(row[f'{kind}_{figure}_ns'], lat[figure] if n else None, f'{what} {kind} {figure}')
    same(row[f'{kind}_ios'], n or None, f'{what} {kind} ios')
    listed = {float(p): v for p, v in lat.get('percentile', {}).items()} if n else {}
    for column in row:
        if column.startswith(kind + '_p') and column.endswith('_ns'):
            same(row[column], listed.pop(float(column[len(kind) + 2:-3]), None), f'{what} {column}')
    if listed:
        bad.append(f'{what}: no columns for {listed}')

def direction(row, job, key, what):
    d = job[key]
    figures = {'ios': d['total_ios'], 'bytes': d['io_bytes'], 'runtime_ms': d['runtime'], 'iops': d['iops'],
               'bandwidth_bytes_per_s': d['bw_bytes'], 'iops_samples': d['iops_samples'], 'iops_min': d['iops_min'],
               'iops_max': d['iops_max'], 'iops_stddev': d['iops_stddev'], 'short_ios': d['short_ios']}
    for name, value in figures.items():
        same(row[name], value, f'{what} {name}')
    for kind in 'slat', 'clat', 'lat':
        latency(row, kind, d[kind + '_ns'], what)
    latency(row, 'resp', job.get('fiord', {}).get(key, {}).get('resp_ns'), what)

for job in doc['jobs']:
    keys = [k for k in ('read', 'write', 'trim', 'mixed') if job.get(k, {}).get('total_ios')]
    if job.get('sync', {}).get('total_ios'):
        keys.insert(len([k for k in keys if k != 'mixed']), 'sync')
    for key in keys or ['none']:
        row = rows.pop(0)
        what = f"{job['jobname']!r} {key}"
        if (row['job'], row['direction']) != (job['jobname'], key):
            bad.append(f"{what}: the row is {row['job']!r} {row['direction']}")
        elif key == 'sync':
            same(row['ios'], job['sync']['total_ios'], what)
            latency(row, 'lat', job['sync']['lat_ns'], what)
        elif key != 'none':
            direction(row, job, key, what)
        same(row['usr_cpu_percent'], job['usr_cpu'], what)
        same(row['group'], job['groupid'], what)
        same(row['errno'], job['error'], what)
# The rows of all jobs: sums of I/Os and bytes, over the longest run time.
for group in sorted({job['groupid'] for job in doc['jobs']}):
    jobs = [job for job in doc['jobs'] if job['groupid'] == group]
    parts = [(k, job[k]) for job in jobs for k in ('read', 'write', 'trim', 'mixed')
             if job.get(k, {}).get('total_ios') and not (k == 'mixed' and 'read' in job)]
    names = {k for k, _ in parts}
    apart = sorted(names - {'mixed'}, key=('read', 'write', 'trim').index) if 'mixed' not in names and len(jobs) > 1 else []
    for key in apart + (['mixed'] if len(names) > 1 or 'mixed' in names else []):
        row = rows.pop(0)
        of = [d for k, d in parts if key in (k, 'mixed')]
        what = f'all jobs {key}'
        if (row['job'], row['direction']) != ('all jobs', key):
            bad.append(f"{what}: the row is {row['job']!r} {row['direction']}")
        same(row['ios'], sum(d['total_ios'] for d in of), what)
        same(row['bytes'], sum(d['io_bytes'] for d in of), what)
        same(row['runtime_ms'], max(d['runtime'] for d in of), what)
        if abs(float(row['iops']) * float(row['runtime_ms']) / 1000 / float(row['ios']) - 1) > 1 / float(row['runtime_ms']):
            bad.append(f"{what}: {row['iops']} IOPS")
if rows:
    bad.append(f'{len(rows)} more rows')
print('\n'.join(bad))
sys.exit(bool(bad))
