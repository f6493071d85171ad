#!/usr/bin/env python3
# How often does `fiord compare` call runs of one setup different, and how often does it show a planted change? Runs the same
# job many times, compares the runs in pairs and in sets of five, and prints for each figure the share of comparisons that show
# a difference: of runs as they are (false alarms; 5 % is nominal), and with the second side's figures changed by --plant
# percent in their documents (power).
#
#     compare_alarms.py [--pairs=200] [--runtime=2] [--plant=5] [--dir=DIR] [--only=timer|null|file] build/src/fiord
#
# The figures of fiord-compare(1) come from it. It needs 2 * pairs runs of each job, with the defaults 40 minutes. The runs
# stay in DIR, and are used again.
import argparse, json, os, random, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument("fiord")
parser.add_argument("--pairs", type=int, default=200, help="at least 5")
parser.add_argument("--runtime", default="2")
parser.add_argument("--plant", type=float, default=5)
parser.add_argument("--dir", default="/tmp/compare_alarms")
parser.add_argument("--only")
args = parser.parse_args()
factor = 1 + args.plant / 100

JOBS = {
    "timer": ["--ioengine=null", "--rw=randread", "--bs=4k", "--size=1g", "--thinktime=200"],
    "null": ["--ioengine=null", "--rw=randread", "--bs=4k", "--size=1g", "--iodepth=8"],
    "file": ["--ioengine=libaio", "--rw=randread", "--bs=4k", "--size=256m", "--direct=1", "--iodepth=4",
             "--filename=" + os.path.join(args.dir, "data")],
}


def run(scene, number):
    path = os.path.join(args.dir, "%s-%d.json" % (scene, number))
    if not os.path.exists(path):
        subprocess.run([args.fiord, "--name=job", "--time_based", "--runtime=" + args.runtime, "--output-format=json+",
                        "--output=" + path] + JOBS[scene], check=True, stderr=subprocess.DEVNULL)
    return path


def scale_bins(bins):
    scaled = {}
    for ns, count in bins.items():
        key = str(round(int(ns) * factor))
        scaled[key] = scaled.get(key, 0) + count
    return scaled


def scale_latency(lat):
    for key in ("min", "max", "mean", "stddev"):
        lat[key] = type(lat[key])(lat[key] * factor)
    lat["percentile"] = {p: round(v * factor) for p, v in lat.get("percentile", {}).items()}
    lat["bins"] = scale_bins(lat.get("bins", {}))


def plant(path):
    """Writes the run with higher rates and latencies to a new file. The relative errors of the series stay as they are."""
    changed = path[:-5] + "-planted.json"
    with open(path) as f:
        doc = json.load(f)
    job = doc["jobs"][0]
    job["fiord"].pop("counts", None)
    for key in ("iops", "bw_bytes"):
        job["read"][key] = type(job["read"][key])(job["read"][key] * factor)
    for key in ("slat_ns", "clat_ns", "lat_ns"):
        scale_latency(job["read"][key])
    for group in doc["fiord"]["series"].get("groups", []):
        read = group["read"]
        for key in ("lat_min", "lat_mean", "lat_max"):
            read[key] = [v and type(v)(v * factor) for v in read[key]]
        read["lat_ns"] = [scale_bins(b) for b in read["lat_ns"]]
    with open(changed, "w") as f:
        json.dump(doc, f)
    return changed


def shown(a, b):
    """Returns the figures that differ, and all figures with an interval."""
    out = subprocess.run([args.fiord, "compare", "--format=json", "--force", "--a"] + a + ["--b"] + b,
                         check=True, capture_output=True)
    figures = json.loads(out.stdout)["compare"]["jobs"][0]["figures"]
    known = [f for f in figures if "shown" in f]
    return [f["figure"] for f in known if f["shown"]], {f["figure"]: f["detectable_percent"] for f in known}


def print_table(title, comparisons):
    count, known, any_shown = {}, {}, 0
    for differ, figures in comparisons:
        any_shown += bool(differ)
        for name, detectable in figures.items():
            known.setdefault(name, []).append(detectable)
            count[name] = count.get(name, 0) + (name in differ)
    print("\n%s, %d comparisons; any figure: %.1f %%" % (title, len(comparisons), 100 * any_shown / len(comparisons)))
    for name in known:
        sizes = sorted(v for v in known[name] if v is not None)
        print("  %-14s shown %5.1f %%   detectable, median %s" % (name, 100 * count[name] / len(known[name]),
              "%.1f %%" % sizes[len(sizes) // 2] if sizes else "none"))
    sys.stdout.flush()


def measure(scene):
    paths = [run(scene, n) for n in range(2 * args.pairs)]
    planted = [plant(p) for p in paths]
    pairs = range(0, len(paths), 2)
    print_table("%s: pairs of one setup" % scene, [shown([paths[n]], [paths[n + 1]]) for n in pairs])
    print_table("%s: pairs with %+g %% planted" % (scene, args.plant), [shown([paths[n]], [planted[n + 1]]) for n in pairs])
    # Sets of five runs, drawn from the runs of about a minute, so that both sides saw the same machine.
    draw = random.Random(1)
    sets = []
    for _ in range(args.pairs):
        begin = draw.randrange(max(1, len(paths) - 29))
        sets.append(draw.sample(range(begin, min(begin + 30, len(paths))), 10))
    print_table("%s: five runs against five" % scene,
                [shown([paths[n] for n in s[:5]], [paths[n] for n in s[5:]]) for s in sets])
    print_table("%s: five against five with %+g %% planted" % (scene, args.plant),
                [shown([paths[n] for n in s[:5]], [planted[n] for n in s[5:]]) for s in sets])


os.makedirs(args.dir, exist_ok=True)
for name in JOBS:
    if args.only in (None, name):
        measure(name)
