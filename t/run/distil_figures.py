"""distil_figures.py compare LOG LOG: are the I/Os of two iologs alike? distil_figures.py make NAME: writes an iolog with known
times. distil_figures.py rates NAME JOB: compares the rates of the job file with those times."""
import random, re, sys


def read(log):
    """(operation, offset, length) of each I/O."""
    ios = []
    for line in open(log):
        words = line.split()[1:]
        if words[1] in ("read", "write"):
            ios.append((words[0], words[1], int(words[2]), int(words[3])))
        elif words[1] in ("sync", "datasync"):
            ios.append((words[0], "sync", 0, 0))
    return ios


def figures(log):
    end, sequential, blocks, begins, ios = {}, 0, set(), {}, read(log)
    data = [io for io in ios if io[1] != "sync"]
    for name, op, offset, length in data:
        if end.get((name, op)) == offset:
            sequential += 1
        else:
            begins[name, offset] = begins.get((name, offset), 0) + 1
        end[name, op] = offset + length
        blocks.update((name, b) for b in range(offset // 4096, (offset + length - 1) // 4096 + 1))
    hot = sorted(begins.values(), reverse=True)
    result = {
        "MiB": sum(io[3] for io in data) / 2**20,
        "share of reads": 100 * sum(io[1] == "read" for io in data) / len(data),
        "sequential share": 100 * sequential / len(data),
        "MiB touched": len(blocks) / 256,
        "flushes per 100 I/Os": 100 * (len(ios) - len(data)) / len(data),
        "share of the hottest tenth": 100 * sum(hot[: max(1, len(hot) // 10)]) / sum(hot),
    }
    for op in "read", "write":
        lengths = [io[3] for io in data if io[1] == op]
        for length in set(lengths):
            share = 100 * lengths.count(length) / len(lengths)
            if share >= 2:
                result[f"share of {length} in {op}s"] = share
    return result


def compare(a, b):
    a, b = figures(a), figures(b)
    for name in sorted(a.keys() | b.keys()):
        x, y = a.get(name, 0), b.get(name, 0)
        print(f"{name}: {x:.4g} {y:.4g}")
        # Shares within 5 points, amounts within 5 %.
        assert abs(x - y) <= (0.05 * x if "MiB" in name else 5), (name, x, y)


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
