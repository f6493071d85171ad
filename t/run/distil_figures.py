"""distil_figures.py compare LOG LOG: are the I/Os of two iologs alike? distil_figures.py make NAME: writes an iolog with known
times. distil_figures.py rates NAME JOB: compares the rates of the job file with those times."""
import random, re, sys


def read(log):
    """(time in us, file, operation, offset, length) of each I/O."""
    ios = []
    for line in open(log):
        words = line.split()
        if words[2:] and words[2] in ("read", "write"):
            ios.append((int(words[0]), words[1], words[2], int(words[3]), int(words[4])))
        elif words[2:] and words[2] in ("sync", "datasync"):
            ios.append((int(words[0]), words[1], words[2], 0, 0))
    return ios


def figures(log):
    """(value, unit of its share in the job) by name; amounts have no such unit."""
    end, sequential, touches, ios = {}, 0, {}, read(log)
    data = [io for io in ios if io[2] in ("read", "write")]
    for _, name, op, offset, length in data:
        sequential += end.get((name, op)) == offset
        end[name, op] = offset + length
        for block in range(offset // 4096, (offset + length - 1) // 4096 + 1):
            touches[name, block] = touches.get((name, block), 0) + 1
    hot = sorted(touches.values(), reverse=True)
    result = {
        "IOPS": ((len(data) - 1) / (data[-1][0] - data[0][0]) * 1e6, None),
        "mean size": (sum(io[4] for io in data) / len(data), None),
        "MiB": (sum(io[4] for io in data) / 2**20, None),
        "MiB touched": (len(touches) / 256, None),
        "accesses to the hottest tenth": (sum(hot[: max(1, len(hot) // 10)]) / sum(hot), None),
        "fsyncs for each I/O": (sum(io[2] == "sync" for io in ios) / len(data), None),
        "fdatasyncs for each I/O": (sum(io[2] == "datasync" for io in ios) / len(data), None),
        "share of reads": (sum(io[2] == "read" for io in data) / len(data), 0.01),
        "sequential share": (sequential / len(data), 0.01),
    }
    for op in "read", "write":
        lengths = [io[4] for io in data if io[2] == op]
        for length in set(lengths):
            result[f"share of {length} in {op}s"] = (lengths.count(length) / len(lengths), 0.0001)
    return result, len(data)


def bound(x, y, unit, n):
    """How far y may be from x: 5 %. A share has a unit: rwmixread and percentage_random have whole percents, bssplit hundredths, so it
    may be half a unit off. And both logs drew it n times, so that the difference has a standard deviation of sqrt(2 p (1 - p) / n)."""
    p = min((x + y) / 2, 1)
    return max(0.05 * x, unit / 2 + 3 * (2 * p * (1 - p) / n) ** 0.5 if unit else 0)


def compare(a, b):
    (a, n), (b, _) = figures(a), figures(b)
    wrong = 0
    for name in sorted(a.keys() | b.keys()):
        (x, unit), (y, _) = a.get(name, (0, 0.0001)), b.get(name, (0, 0.0001))
        far = abs(x - y) > bound(x, y, unit, n)
        wrong += far
        if x or y:
            print(f"{name:32} {x:12.6g} {y:12.6g} {100 * (y - x) / x if x else 0:+8.2f} % {'TOO FAR' * far}")
    assert not wrong


# Steps of seconds and IOPS.
TIMES = {"constant": [(10, 800)], "poisson": [(20, 900)], "slow": [(60, 1.5)], "steps": [(3, 1000), (2, 5000), (4, 200), (1, 3000)],
         "pause": [(2, 1000), (3, 0), (2, 500)]}


def make(name):
    random.seed(7)
    start = 0
    with open(name + ".log", "w") as out:
        out.write("fio version 3 iolog\n0 f add\n0 f open\n")
        for seconds, rate in TIMES[name]:
            time = start
            while rate and time < start + seconds:
                out.write(f"{time * 1e6:.0f} f {'read' if random.random() < 0.75 else 'write'} {random.randrange(65536) * 4096} 4096\n")
                time += random.expovariate(rate) if name == "poisson" else 1 / rate
            start += seconds
        out.write(f"{start * 1e6:.0f} f close\n")


def rates(name, job):
    text, wanted, start, got = open(job).read(), [], 0, []
    for seconds, rate in TIMES[name]:
        wanted.append((start, rate))
        start += seconds
    steps = re.search(r"^rate_steps=(.*)$", text, re.M)
    if steps:
        for at, step in re.findall(r"(\d+)ms:((?:[\d/s]+,?)+?)(?=,\d+ms:|$)", steps[1]):
            got.append((int(at) / 1000, sum(int(r.removesuffix("/s")) for r in step.split(","))))
    else:
        line = re.search(r"^(rate|rate_iops)=(.*)$", text, re.M)
        got.append((0, sum(map(int, line[2].split(","))) / (4096 if line[1] == "rate" else 1)))
    assert len(got) == len(wanted), (got, wanted)
    for (at, rate), (want_at, want_rate) in zip(got, wanted):
        assert abs(at - want_at) <= 0.1 and abs(rate - want_rate) <= 0.05 * want_rate, (got, wanted)
    assert ("rate_process=poisson" in text) == (name == "poisson"), text


{"compare": compare, "make": make, "rates": rates}[sys.argv[1]](*sys.argv[2:])
