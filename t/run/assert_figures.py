# assert_figures.py FIORD RESULT.json: can an assertion name every figure of the document, and has it the same value?
import json, subprocess, sys

fiord, path = sys.argv[1:]
doc = json.load(open(path))

# Settings and identities are no figures. Lists of parts have no names, and the counts behind the figures need none.
NONE = {'groupid', 'job_start', 'eta', 'job options', 'desc', 'fiord.pid', 'fiord.members', 'latency_target', 'latency_target_ns',
        'latency_percentile', 'latency_window', 'latency_window_us', 'steadystate.duration', 'fiord.steadystate.duration_ns',
        'fiord.steadystate.interval_ns', 'fiord.latency_target.iodepth', 'fiord.latency_target.left_out', 'fiord.counts'}
NO_NAME = {'bins', 'prios', 'jobname'}
UNITS = {'runtime': 'ms', 'job_runtime': 'ms', 'elapsed': 's', 'read_ticks': 'ms', 'write_ticks': 'ms', 'in_queue': 'ms',
         'aggr_read_ticks': 'ms', 'aggr_write_ticks': 'ms', 'aggr_in_queue': 'ms', 'unit_mean': 'us', 'unit_stddev': 'us',
         'lat_mean': 'ns', 'unissued_age_ns': 'ns', 'log_waited_ns': 'ns', 'attained_ns': 'ns', 'user_ns_per_io': 'ns',
         'sys_ns_per_io': 'ns', 'wall_ns': 'ns', 'user_us': 'us', 'sys_us': 'us', 'children_user_us': 'us', 'children_sys_us': 'us'}
KIB = {'bw', 'bw_min', 'bw_max', 'bw_mean', 'bw_dev', 'io_kbytes'}
CUT = {'bw', 'io_kbytes', 'bw_min', 'bw_max', 'iops_min', 'iops_max'}  # whole numbers in the document
expressions = []

def add(prefix, keys, value):
    key = keys[-1]
    latency = any(k.endswith('lat_ns') or k == 'resp_ns' for k in keys[:-1])
    number, unit = value, UNITS.get(key, 'ns' if latency and key != 'N' else '')
    if keys[-2:-1] == ['percentile']:
        keys = keys[:-2] + ['p' + key]
    if keys[0] == 'fiord' and prefix is not None:
        keys = keys[1:]
    name = '.'.join(([prefix] if prefix else []) + keys)
    if key in KIB and 'data' not in keys:
        number *= 1024
    if key not in CUT:
        expressions.append(f'{name} == {number:.6f}{unit}' if isinstance(number, float) else f'{name} == {number}{unit}')
        return
    step = 1024 if key in KIB else 1
    expressions.append(f'{name} > {number - step}' if number >= step else f'{name} >= 0')
    expressions.append(f'{name} < {number + step}')

def walk(prefix, keys, value):
    if '.'.join(keys) in NONE or keys and keys[-1] in NO_NAME or isinstance(value, (list, str)):
        return
    if isinstance(value, dict):
        for k, v in value.items():
            walk(prefix, keys + [k], v)
    else:
        add(prefix, keys, int(value) if isinstance(value, bool) else value)

def without_figures(job):
    """Leaves out what was not measured: an assertion on it fails."""
    for key in 'read', 'write', 'trim', 'mixed':
        d = job.get(key, {})
        if not d.get('total_ios'):
            job.pop(key, None)
        for kind in 'slat_ns', 'clat_ns', 'lat_ns':
            if d and not d[kind]['N']:
                del d[kind]
    if not job.get('sync', {}).get('total_ios'):
        job.pop('sync', None)
    if 'latency_target' not in job['fiord']:
        job.pop('latency_depth', None)
    if not job.get('steadystate', {}).get('attained'):
        job['fiord'].get('steadystate', {}).pop('attained_ns', None)

for job in doc['jobs']:
    without_figures(job)
    walk(job['jobname'], [], job)
for disk in doc.get('disk_util', []):
    name = disk.pop('name')
    walk('disk_util.' + name, [], disk)
walk(None, ['cpu_idleness'], {k: v for k, v in doc.get('cpu_idleness', {}).items() if not k.startswith('cpu-')})
walk(None, ['fiord', 'self'], doc['fiord']['self'])

args = [fiord, 'report', path]
for e in expressions:
    args += ['--assert', e]
done = subprocess.run(args, capture_output=True, text=True)
print(f'{len(expressions)} expressions, exit code {done.returncode}\n{done.stderr}')
print('\n'.join(line for line in done.stdout.splitlines() if 'FAILED' in line))
sys.exit(done.returncode or len(expressions) < 300)
