#!/usr/bin/env python3
"""report.py FIORD: what the HTML page costs: size, time and memory of "fiord report" for ten minutes of four jobs and for a day
of 64 jobs. The documents are synthetic: short runs of the null engine give the shape of a document, and their series is
repeated, with changed counts, to the length of the long run."""
import json, os, random, subprocess, sys, tempfile, time

fiord = os.path.abspath(sys.argv[1])
SERIES_BYTES = 16 << 20  # the limit of a run's series in memory; a cell takes some 16 bytes and 4 for each bucket


def short_run(jobs, groups, directory):
    """A document of JSON+ of `jobs` jobs in this many run status groups, each of which has a series."""
    path = os.path.join(directory, 'short.json')
    command = [fiord, '--series', '--output-format=json+', '--output=' + path]
    for i in range(jobs):
        command += [f'--name=job{i}', f'--new_group={int(i < groups)}', '--ioengine=null', '--size=1g', '--rw=randrw', '--iodepth=8', '--rate_iops=500',
                    '--time_based', '--runtime=1', '--thread']
    subprocess.run(command, check=True, cwd=directory)
    with open(path) as f:
        return json.load(f)


def cells(rng, ios):
    """The histogram of an interval with two modes of latency, as of a disk with a cache."""
    bins = {}
    for _ in range(min(ios, 60)):
        octave = int(rng.choice([rng.gauss(16.5, .5), rng.gauss(21, .8)]))
        step = 1 << (octave - 6)
        middle = (1 << octave) + rng.randrange(64) * step + step // 2
        bins[middle] = bins.get(middle, 0) + 1
    bins[min(bins)] += ios - min(ios, 60)
    return {str(k): v for k, v in sorted(bins.items())}


def stretch(doc, seconds):
    """Replaces the series by one of this length, and the totals by its sums."""
    series = doc['fiord']['series']
    groups = series['groups']
    interval = 100
    while seconds * 1000 / interval * len(groups) * 2 * (16 + 4 * 40) > SERIES_BYTES:
        interval *= 2
    series['interval_ms'] = interval
    n = int(seconds * 1000 / interval)
    rng = random.Random(1)
    for group in groups:
        members = [j for j in doc['jobs'] if j['groupid'] == group['group']]
        group.update(intervals=n, runtime_ms=n * interval)
        for direction in 'read', 'write':
            ios = [max(1, int(rng.gauss(.5 * interval, .05 * interval))) for _ in range(n)]
            bins = [cells(rng, k) for k in ios]
            low = [int(min(map(int, b), key=int)) for b in bins]
            high = [max(map(int, b)) for b in bins]
            mean = [sum(int(k) * v for k, v in b.items()) / i for b, i in zip(bins, ios)]
            group[direction] = {'ios': ios, 'bytes': [4096 * k for k in ios], 'errors': [0] * n, 'lat_min': low, 'lat_mean': mean,
                                'lat_max': high, 'lat_ns': bins}
            total = {}
            for b in bins:
                for k, v in b.items():
                    total[k] = total.get(k, 0) + v
            for job in members:
                set_totals(job, direction, n * interval, ios, low, high, total)
    return doc


def set_totals(job, direction, ms, ios, low, high, total):
    """Gives the job the figures of its group's series."""
    d = job[direction]
    d.update(total_ios=sum(ios), io_bytes=4096 * sum(ios), io_kbytes=4 * sum(ios), runtime=ms, iops=sum(ios) * 1000 / ms,
             bw_bytes=4096000 * sum(ios) // ms)
    for kind in 'clat_ns', 'lat_ns':
        if d[kind]['N']:
            d[kind].update(N=sum(ios), min=min(low), max=max(high))
        if 'bins' in d[kind]:
            d[kind]['bins'] = dict(sorted(total.items(), key=lambda kv: int(kv[0])))
    job['fiord'].pop('counts', None)


def write_document(path, jobs, groups, seconds, directory):
    """Writes the document in a child, because a process begins with its parent's peak of memory as its own."""
    child = os.fork()
    if not child:
        doc = stretch(short_run(jobs, groups, directory), seconds)
        with open(path, 'w') as f:
            json.dump(doc, f, separators=(',', ':'))
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit('the document could not be made')


def cpu_of(command):
    """The CPU time of the fastest of three."""
    best = None
    for _ in range(3):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        usage = os.wait4(child.pid, 0)[2]
        took = usage.ru_utime + usage.ru_stime
        best = took if best is None or took < best else best
    return best


def measure(title, jobs, groups, seconds, goal):
    with tempfile.TemporaryDirectory() as directory:
        source, page = os.path.join(directory, 'long.json'), os.path.join(directory, 'page.html')
        write_document(source, jobs, groups, seconds, directory)
        reading = cpu_of([fiord, 'report', source, '--csv'])
        best = None
        for _ in range(3):
            begin = time.monotonic()
            child = subprocess.Popen([fiord, 'report', source, '-o', page])
            _, status, usage = os.wait4(child.pid, 0)
            took = time.monotonic() - begin
            if status:
                sys.exit(f'{title}: fiord report failed')
            if best is None or took < best[0]:
                best = took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
        begin = time.monotonic()
        subprocess.run([fiord, 'report', page, '-o', os.path.join(directory, 'again.html')], check=True)
        again = time.monotonic() - begin
        with open(page) as f:
            charts = f.read().count('<svg xmlns')
        print(f'{title}: document {os.path.getsize(source) / 1e6:.1f} MB, page {os.path.getsize(page) / 1000:.0f} KB with {charts} charts, '
              f'{best[0]:.2f} s ({best[1]:.2f} s of CPU, of which {reading:.2f} s to read the document), {best[2] / 1024:.0f} MiB; read again from the page in {again:.2f} s; goal: {goal}')


measure('ten minutes of 4 jobs', 4, 1, 600, '300 KB, 0.3 s')
measure('... each with its series', 4, 4, 600, '300 KB, 0.3 s')
measure('a day of 64 jobs', 64, 1, 86400, '2 MB, 2 s, 200 MB')
measure('... each with its series', 64, 64, 86400, '2 MB, 2 s, 200 MB')
