# assert_figures.py FIORD RESULT.json LEAST: can an assertion name every figure of the document, those in lists included, and has
# it the same value? The walk begins at the root, so a new key fails until it has a name or a reason here. There must be at least
# LEAST expressions; with LEAST=0, for results that were made by hand, figures may have no measured value.
import json, re, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

fiord, path = sys.argv[1:3]
least = int(sys.argv[3])
doc = json.load(open(path))

# Numbers that are no figures, by their paths without indexes. A line of a reason covers the paths below it.
NONE = [re.compile(line.strip()) for reason, lines in {
    'names, moments and settings': r'''
        timestamp(_ms)?
        .*\.(groupid|job_start|eta|job options|desc|pid|members)
        jobs\.latency_(target|target_ns|percentile|window|window_us)
        jobs\.steadystate\.duration
        jobs\.fiord\.steadystate\.(duration|interval)_ns
        jobs\.fiord\.latency_target\.iodepth
        .*\.prios\.(prioclass|prio|priohint)''',
    'what was planned, and where it ran': r'fiord\.(plan|environment|targets)',
    'the end of the run, which verdicts change': r'fiord\.(exit|interrupted\w*)',
    'histograms and the counts behind the figures': r'''
        .*\.bins
        jobs\.fiord\.counts''',
    'the search for a depth lists the last steps': r'jobs\.fiord\.latency_target\.left_out',
    'the same figures at moments of the run': r'fiord\.status',
    'verdicts': r'assertions',
    'the grid of the series, and its histograms': r'''
        fiord\.series(\.(groups|jobs))?\.(interval_ms|group|clone|start_ms|begin_ms|runtime_ms|intervals)
        fiord\.series\.(groups|jobs)\.\w+\.(lat|resp)_ns''',
    'which rank and wave it is': r'''
        fiord\.hosts\.(rank|program)
        fiord\.hosts(\.waves|\.straggler)?\.wave
        jobs\.port''',
}.items() for line in lines.strip().splitlines()]

UNITS = {'runtime': 'ms', 'job_runtime': 'ms', 'elapsed': 's', 'read_ticks': 'ms', 'write_ticks': 'ms', 'in_queue': 'ms',
         'aggr_read_ticks': 'ms', 'aggr_write_ticks': 'ms', 'aggr_in_queue': 'ms', 'unit_mean': 'us', 'unit_stddev': 'us',
         'unissued_age_ns': 'ns', 'log_waited_ns': 'ns', 'attained_ns': 'ns', 'user_ns_per_io': 'ns',
         'sys_ns_per_io': 'ns', 'wall_ns': 'ns', 'user_us': 'us', 'sys_us': 'us', 'children_user_us': 'us', 'children_sys_us': 'us',
         'start_ns': 'ns', 'length_ns': 'ns', 'ns': 'ns', 'age_ns': 'ns', 'start_late_ns': 'ns', 'done_ns': 'ns', 'took_ns': 'ns',
         'median_took_ns': 'ns', 'time_ns': 'ns',
         **{f'{kind}_{what}': 'ns' for kind in ('lat', 'resp') for what in ('min', 'mean', 'max')}}
KIB = {'bw', 'bw_min', 'bw_max', 'bw_mean', 'bw_dev', 'io_kbytes'}
CUT = {'bw', 'io_kbytes', 'bw_min', 'bw_max', 'iops_min', 'iops_max'}  # whole numbers in the document
expressions = []

def add(words, value):
    keys = [re.sub(r'\[.*\]$', '', w) for w in words]
    key = keys[-1]
    latency = any(k.endswith('lat_ns') or k == 'resp_ns' for k in keys)
    number, unit = value, UNITS.get(key, 'ns' if latency and key != 'N' else '')
    if keys[-2:-1] == ['percentile']:
        words = words[:-2] + ['p' + re.sub(r'\.0+$', '', key)]
    if keys[0] in ('jobs', 'client_stats') and 'fiord' in words:
        words = [w for w in words if w != 'fiord']
    name = '.'.join(words)
    sample = 'data' in keys
    if key in KIB and not sample:
        number *= 1024
    if key not in CUT or sample:
        expressions.append(f'{name} == {number:.6f}{unit}' if isinstance(number, float) else f'{name} == {number}{unit}')
        return
    step = 1024 if key in KIB else 1
    expressions.append(f'{name} > {number - step}' if number >= step else f'{name} >= 0')
    expressions.append(f'{name} < {number + step}')

def entry(key, i, value):
    """By name where entries have one, but each third file by its index."""
    if key == 'disk_util':
        return [key, value['name']]
    if key == 'files' and i % 3:
        return [f'files["{value["path"]}"]']
    if key == 'groups' and i % 2:
        return [f'{key}[{value["name"]}]']
    return [f'{key}[{i}]']

def walk(words, keys, value):
    if any(n.fullmatch(re.sub('^client_stats', 'jobs', '.'.join(keys))) for n in NONE) or isinstance(value, str):
        return
    if isinstance(value, dict):
        for k, v in value.items():
            walk(words + [k], keys + [k], v)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            walk(words[:-1] + entry(words[-1], i, v), keys, v)
    elif value is not None:
        add(words, int(value) if isinstance(value, bool) else value)

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

for job in doc.get('jobs', doc.get('client_stats')):
    without_figures(job)
walk([], [], doc)

xml = tempfile.NamedTemporaryFile()
args = [fiord, 'report', path, '--junit=' + xml.name]
for e in expressions:
    args += ['--assert', e]
done = subprocess.run(args, capture_output=True, text=True)
print(f'{len(expressions)} expressions, exit code {done.returncode}\n{done.stderr}')
failed = [f.get('message') for f in ET.parse(xml.name).iter('failure')] if done.returncode in (0, 5) else [done.stderr]
failed = [m for m in failed if least or ' was not measured: ' not in m]
print('\n'.join(failed))
sys.exit(len(failed) > 0 or len(expressions) < least)
