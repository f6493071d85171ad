#!/usr/bin/env python3
"""html_page.py FIORD DIRECTORY: is the HTML page well formed, safe and true?

The page is parsed by Python's html.parser. The figures of its tiles are compared with the run's JSON, which Python reads, too;
sums over jobs are computed here. The rules about references, handlers, ids, headings and tables are those of the HTML standard
and of WCAG 2.1."""
import base64
import hashlib
import html.parser
import itertools
import json
import os
import pty
import random
import re
import statistics
import subprocess
import sys
import zlib

fiord, directory = sys.argv[1:3]
failures = 0
VOID = {"meta", "br", "input", "link", "img", "hr", "col"}


def check(label, ok, why=""):
    global failures
    print("%s - %s%s" % ("ok" if ok else "not ok", label, "" if ok else ": %s" % (why,)))
    failures += not ok


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.texts, self.wrong = [], [], {}, []
        self.feed(text)
        self.close()
        self.wrong += ["%s is not closed" % t for t, _ in self.open]

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), len(self.tags))
        if len(dict(attrs)) != len(attrs):
            self.wrong.append("<%s> has an attribute twice" % tag)
        self.tags.append(element)
        if tag not in VOID:
            self.open.append((tag, element[2]))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), len(self.tags)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append("</%s> closes %s" % (tag, self.open[-1:]))
        else:
            self.open.pop()

    def handle_data(self, data):
        for _, number in self.open:
            self.texts[number] = self.texts.get(number, "") + data

    def all(self, tag):
        return [(a, self.texts.get(n, "")) for t, a, n in self.tags if t == tag]


def run(*args):
    done = subprocess.run([fiord, *args], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.stderr:
        print("# " + done.stderr)
    return done.returncode


def read(name):
    with open(os.path.join(directory, name), encoding="utf-8") as f:
        return f.read()


def frame(label, text):
    """What holds for every page."""
    page = Page(text)
    check(label + ": every element is closed", not page.wrong, page.wrong[:3])
    outside = [(t, k, v) for t, a, _ in page.tags for k, v in a.items()
               if k in ("src", "srcset", "action", "formaction", "data", "background", "xlink:href", "poster", "ping")
               or (k == "href" and not v.startswith("#"))]
    check(label + ": no reference leads out of the page", not outside, outside[:3])
    handlers = [(t, k) for t, a, _ in page.tags for k in a if k.startswith("on") or k == "style"]
    check(label + ": no inline handler and no inline style", not handlers, handlers[:3])
    ids = [a["id"] for _, a, _ in page.tags if "id" in a]
    check(label + ": ids are unique", len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)[:3])
    targets = [a["href"][1:] for t, a, _ in page.tags if t == "a"] + \
        [i for _, a, _ in page.tags for i in a.get("aria-labelledby", "").split()]
    check(label + ": every link within the page has a target", set(targets) <= set(ids), set(targets) - set(ids))
    levels = [int(t[1]) for t, _, _ in page.tags if re.fullmatch("h[1-6]", t)]
    check(label + ": headings begin with one h1 and skip no level", levels[0] == 1 and levels.count(1) == 1 and
          all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)
    check(label + ": landmarks", all(len(page.all(t)) == 1 for t in ("main", "header", "footer")) and page.all("nav"))
    check(label + ": each table has a caption, and each header cell a scope", len(page.all("table")) ==
          len(page.all("caption")) and all("scope" in a for a, _ in page.all("th")))
    graphs = [a for a, _ in page.all("svg") if a.get("class") == "graph"]
    check(label + ": each chart has a role and a name", all(a.get("role") == "img" and a.get("aria-label") for a in graphs))
    policy = page.all("meta")[1][0].get("content", "")
    hashes = ["'sha256-%s'" % base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in
              [t for _, t in page.all("style")] + [t for a, t in page.all("script") if "type" not in a]]
    check(label + ": the policy allows the page's own style and script alone", policy.startswith("default-src 'none'; ") and
          sorted(re.findall("'[^']*'", policy)) == sorted(hashes + ["'none'"] * 3), policy)
    return page


def tiles(page):
    return {a["data-tile"]: float(a["value"]) for a, _ in page.all("data") if "data-tile" in a}


def embedded(page):
    data = [t for a, t in page.all("script") if a.get("id") == "fiord-data"]
    return json.loads(zlib.decompress(base64.b64decode(data[0]))) if len(data) == 1 else None


def bucket_value(index):
    """The middle of a bucket, which is a key of "bins": each octave has 64 buckets, and values below 128 have their own."""
    if index < 128:
        return index
    shift = index // 64 - 1
    return ((64 + index % 64) << shift) + (1 << shift) // 2


def with_bins(value):
    """The page's data has "steps" in place of "bins": for each bucket its distance to the one before, and its I/Os."""
    if isinstance(value, list):
        return [with_bins(v) for v in value]
    if not isinstance(value, dict):
        return value
    value = {k: v if k == "steps" else with_bins(v) for k, v in value.items()}
    if "steps" in value:
        steps = value.pop("steps")
        indices = itertools.accumulate(steps[::2])
        value["bins"] = {str(bucket_value(i)): n for i, n in zip(indices, steps[1::2])}
    return value


def percentile(job, direction, p):
    return job[direction]["clat_ns"]["percentile"]["%f" % p]


def of_all(jobs, dirs, key):
    """The I/Os of directions of jobs together, from the bins of the JSON."""
    bins, lats = {}, [j[d][key] for j in jobs for d in dirs]
    for lat in lats:
        for ns, n in lat["bins"].items():
            bins[int(ns)] = bins.get(int(ns), 0) + n
    total, low, high = sum(bins.values()), min(l["min"] for l in lats), max(l["max"] for l in lats)

    def value(p):
        seen = 0
        for ns in sorted(bins):
            seen += bins[ns]
            if seen >= total * p / 100:
                return max(low, min(high, ns))

    return {"p50": value(50), "p99": value(99), "p99.9": value(99.9), "max": high}


def one_group():
    check("a mixed job runs", run("--output-format=json+", "--output=run.json", "--report=run.html", "--name=mix", "--size=4m",
                                  "--rw=randrw", "--bs=4k", "--time_based", "--runtime=350ms", "--group_reporting", "--numjobs=2") == 0)
    page, doc = frame("a mixed job", read("run.html")), json.loads(read("run.json"))
    job, got = doc["jobs"][0], tiles(page)
    want = {}
    for d in ("read", "write"):
        want.update({d + ".iops": job[d]["iops"], d + ".bw_bytes": job[d]["bw_bytes"], d + ".max": job[d]["clat_ns"]["max"]})
        want.update({"%s.p%g" % (d, p): percentile(job, d, p) for p in (50, 99, 99.9)})
    want.update({"all." + k: v for k, v in of_all([job], ("read", "write"), "clat_ns").items()})
    check("the sum of all directions stands first", next(iter(got)).startswith("all."), list(got))
    longest = max(job[d]["runtime"] for d in ("read", "write"))
    for key, sums in (("all.iops", "total_ios"), ("all.bw_bytes", "io_bytes")):
        rate = sum(job[d][sums] for d in ("read", "write")) * 1000 / max(longest, 1)
        # The run takes less than a second, so its rates are computed in ns; the JSON has whole ms.
        check("... its rate is over the longest run time: " + key, abs(got.pop(key, 0) - rate) <= rate / max(longest, 1) + 1, rate)
    check("tiles are the figures of the JSON", got.keys() == want.keys() and
          all(abs(got[k] - want[k]) < 1e-5 for k in want), (got, want))
    own = with_bins(embedded(page))
    check("the page holds the document", own and own["jobs"] == doc["jobs"] and own["fiord"]["command"] ==
          doc["fiord"]["command"], list(own or {}))
    rows = ("read", "write")
    check("... with a series whose sums are the totals", all(sum(own["fiord"]["series"]["groups"][0][d]["ios"]) ==
          job[d]["total_ios"] for d in rows))
    details = len(page.all("details"))
    graphs = [a for a, _ in page.all("svg") if a.get("class") == "graph"]
    check("there are at least six charts, with a table under each", len(graphs) >= 6 and details >= len(graphs) - 1,
          (len(graphs), details))


def several_jobs():
    """Two jobs without group_reporting run together: the tiles are their sums."""
    check("two jobs run", run("--output-format=json+", "--output=two.json", "--report=two.html", "--size=1m", "--rw=randread",
                              "--bs=4k", "--name=a", "--name=b") == 0)
    got, jobs = tiles(frame("two jobs", read("two.html"))), json.loads(read("two.json"))["jobs"]
    sums = of_all(jobs, ("read",), "clat_ns")
    check("the median of several jobs is that of all their I/Os", got["read.p50"] == sums["p50"], got)
    check("the maximum is that of all", got["read.max"] == sums["max"], got)
    longest = max(j["read"]["runtime"] for j in jobs)
    iops = sum(j["read"]["total_ios"] for j in jobs) * 1000 / longest
    # Rates over less than a second are computed in ns, which the JSON does not have.
    check("IOPS are over the longest run time", abs(got["read.iops"] - iops) <= iops / longest + 1, (got["read.iops"], iops))


def writers_with_a_rate():
    """The mixed job of jobs/fioreadwrite.ini: the writers alone have a rate, and the readers end before them."""
    check("readers beside a writer with a rate run", run(
        "--output-format=json+", "--output=paced.json", "--report=paced.html", "--ioengine=null", "--size=1g", "--name=reader",
        "--rw=randread", "--number_ios=1000", "--name=writer", "--rw=randwrite", "--rate_iops=200", "--number_ios=100") == 0)
    page, jobs = frame("a writer with a rate", read("paced.html")), json.loads(read("paced.json"))["jobs"]
    got, longest = tiles(page), max(j[d]["runtime"] for j in jobs for d in ("read", "write"))
    for key, sums in (("all.iops", "total_ios"), ("all.bw_bytes", "io_bytes")):
        rate = sum(j[d][sums] for j in jobs for d in ("read", "write")) * 1000 / longest
        check("... " + key + " is the sum over the longest run time", abs(got.get(key, 0) - rate) <= rate / longest + 1, (got, rate))
    check("... latencies of different kinds have no sum", [k for k in got if k.startswith("all.")] == ["all.iops", "all.bw_bytes"], got)
    check("... which the page says, and the time of the rates", [True for a, t in page.all("p") if a.get("class") == "note" and
          "over the longest run time" in t and "latencies are of different kinds" in t], page.all("p"))


def groups_and_errors():
    with open(os.path.join(directory, "groups.ini"), "w", encoding="utf-8") as f:
        f.write("[global]\nsize=256k\nbs=4k\n[one]\nrw=write\n[two]\nstonewall\nnew_group\nrw=read\n[none]\nstonewall\nnew_group\n"
                "rw=write\nfilename=sub/none\n")
    run("--output-format=json+", "--output=groups.json", "--report=groups.html", "groups.ini")
    page = frame("groups", read("groups.html"))
    check("each group has a part of its own", {"r1-g0", "r1-g1"} <= {a.get("id") for _, a, _ in page.tags})
    check("groups that ran one after the other have no sum", "All groups" not in read("groups.html"))
    run("--output-format=json+", "--output=beside.json", "--report=beside.html", "--ioengine=null", "--size=1g", "--rate_iops=1000",
        "--number_ios=1000", "--name=one", "--rw=read", "--name=two", "--new_group", "--rw=randrw")
    frame("groups at the same time", read("beside.html"))
    jobs = json.loads(read("beside.json"))["jobs"]
    ios = sum(j[d]["total_ios"] for j in jobs for d in ("read", "write"))
    row = re.search(r"All groups</th>(.*?)</tr>", read("beside.html"), re.S)
    check("groups at the same time have a sum, which stands first", row and "<td class=\"n\">%s</td>" % format(ios, ",") in row[1] and
          read("beside.html").index("All groups") < read("beside.html").index("Group 0: "), (ios, row and row[1]))


def rate():
    """Under a rate response times stand first, as on the screen of --eta=full."""
    check("a job with a rate runs", run("--output-format=json+", "--output=rate.json", "--report=rate.html", "--name=rated", "--size=1m",
                                        "--ioengine=null", "--rw=randrw", "--rate_iops=2000", "--number_ios=400") == 0)
    got, job = tiles(frame("a rate", read("rate.html"))), json.loads(read("rate.json"))["jobs"][0]
    keys = list(got)
    for d in "read", "write":
        first = next(k for k in keys if k.startswith(d) and "p50" in k)
        check("the first latency of %ss is the response time" % d, first == d + ".resp.p50", keys)
        check("... that of the JSON", got[first] == job["fiord"][d]["resp_ns"]["percentile"]["50.000000"], got)
    sums = of_all([job["fiord"]], ("read", "write"), "resp_ns")
    check("... and so of their sum", all(got["all.resp." + k] == v for k, v in sums.items()), (got, sums))


def notes():
    """More than two notes fold, and none is lost."""
    doc, lines = json.loads(read("run.json")), ["the note number %d" % i for i in range(5)]
    for n in 2, 5:
        doc["fiord"]["notes"], doc["jobs"][0]["fiord"]["notes"] = lines[:n], []
        with open(os.path.join(directory, "notes.json"), "w", encoding="utf-8") as f:
            json.dump(doc, f)
        check("a document of %d notes becomes a page" % n, run("report", "notes.json", "-o", "notes.html") == 0)
        page = frame("%d notes" % n, read("notes.html"))
        folded = [t for a, t in page.all("details") if a.get("class") == "more"]
        shown = [t for _, t in page.all("li") if t.startswith("the note")]
        check("... with all of them", shown == lines[:n], shown)
        check("... of which those after the second are folded", [all(l in t for l in lines[2:]) and lines[1] not in t for t in folded] ==
              [True] * (n > 2), folded)


def hostile():
    name = "<script>alert(1)</script><img src=x onerror=alert(1)>\"' &lt;"
    check("a job with a hostile name runs", run("--output-format=json+", "--output=hostile.json", "--report=hostile.html",
                                                "--name=" + name, "--description=</title></style></script><b>",
                                                "--filename=plain", "--size=64k", "--rw=write") == 0)
    text = read("hostile.html")
    page = frame("a hostile name", text)
    check("the name is text", name in page.all("h1")[0][1], page.all("h1"))
    check("it opens no element", not page.all("img") and not page.all("b") and len(page.all("script")) == 2)
    check("two results in one page", run("report", "run.html", "hostile.json", "-o", "both.html") == 0)
    check("... have an overview with both", len(frame("two results", read("both.html")).all("nav")) == 2)


def fewer_data():
    """fio's plain JSON has neither series nor bins: the page says so."""
    doc = json.loads(read("run.json"))
    del doc["fiord"]
    for job in doc["jobs"]:
        job.pop("fiord")
        for d in ("read", "write"):
            for kind in ("clat_ns", "lat_ns", "slat_ns"):
                job[d][kind].pop("bins", None)
    with open(os.path.join(directory, "plain.json"), "w", encoding="utf-8") as f:
        json.dump(doc, f)
    check("a document without bins becomes a page", run("report", "plain.json", "-o", "plain.html") == 0)
    text = read("plain.html")
    page = frame("no bins", text)
    check("it names what is missing", "no series over time" in text and "no histograms" in text)
    job = doc["jobs"][0]
    check("... and has the percentiles of the list", tiles(page)["read.p99"] == percentile(job, "read", 99))


def several_hosts():
    """The entry of all hosts is the answer, over all groups."""
    merged = subprocess.run([fiord, "merge", "run.json", "two.json"], cwd=directory, stdout=subprocess.PIPE, text=True)
    with open(os.path.join(directory, "merged.json"), "w", encoding="utf-8") as f:
        f.write(merged.stdout)
    check("results of hosts become a page", run("report", "merged.json", "-o", "merged.html") == 0)
    check("... which names no clock", "Clock of the measurement" not in read("merged.html"))
    got, last = tiles(frame("several hosts", read("merged.html"))), json.loads(merged.stdout)["client_stats"][-1]
    check("its tiles are those of All clients", last["jobname"] == "All clients" and
          abs(got["read.iops"] - last["read"]["iops"]) < 1e-5 and got["read.p99"] == percentile(last, "read", 99), got)


def until():
    """steadystate and latency_target, from a document whose figures stand here: the answer, the samples and the steps."""
    run("--output-format=json", "--output=until.json", "--ioengine=null", "--size=64k", "--name=steady", "--name=search")
    doc = json.loads(read("until.json"))
    steady, search = doc["jobs"]
    steady["steadystate"] = {"ss": "iops:5.000000%", "duration": 4, "attained": 1, "criterion": "2.000000%", "max_deviation": 20.0,
                             "slope": 0.0, "data": {"bw_mean": 4096000, "iops_mean": 1000, "iops": [1000, 1020, 980, 1000],
                                                    "bw": [4096000] * 4}}
    steady["fiord"]["steadystate"] = {"duration_ns": 4 * 10**9, "interval_ns": 10**9, "attained_ns": 12 * 10**9,
                                      "range_percent": 4.0, "rise_percent": -1.0}
    steps = [(0, 8, False, 4000, 3000), (0, 4, True, 2000, 1999), (0, 6, False, 3000, 2900), (0, 5, True, 2500, 2499)]
    search.update({"latency_depth": 5, "latency_target": 2000000, "latency_percentile": 99.9, "latency_window": 500000})
    search["fiord"]["latency_target"] = {"found": True, "iodepth": 16, "left_out": 0, "steps": [
        dict(zip(("clone", "depth", "met", "ios", "within", "ns", "lat_ns"), s + (500000000, s[1] * 400000))) for s in steps],
        "answer": {"clone": 0, "depth": 5, "met": True, "ios": 2512, "within": 2510, "ns": 500000000, "lat_ns": 1990000, "iops": 5024.0}}
    with open(os.path.join(directory, "until.json"), "w", encoding="utf-8") as f:
        json.dump(doc, f)
    check("a document with steadystate and latency_target becomes a page", run("report", "until.json", "-o", "until.html") == 0)
    page = frame("steadystate and latency_target", read("until.html"))
    state = {a["data-tile"]: t for a, t in page.all("span") if "data-tile" in a}
    check("the tile says when the job was steady", state.get("steadystate") == "attained after 12.0 s", state)
    check("the tile says which depth was found", state.get("latency_target") == "depth 5", state)
    text = re.sub(r"\s+", " ", page.all("main")[0][1])
    check("the answer of the search is a sentence at the top", [t for a, t in page.all("p") if a.get("class") == "answer"] ==
          ["search: 5,024 IOPS at p99.9 1.99 ms (iodepth=5). iodepth=6 does not meet the target: p99.9 2.40 ms."],
          page.all("p"))
    check("the criterion stands beside its limit", "deviation from the mean 2.000 % (steadystate=iops:5.000000%)" in text)
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", r) for r in re.findall(r"<tr><th scope=.row.>0</th>(.*?)</tr>", read("until.html"))]
    check("each step of the search has its row", [(int(r[0]), r[1] == "met", int(r[3].replace(",", "")), int(r[2].replace(",", "")))
                                                  for r in rows if len(r) == 6] == [s[1:] for s in steps], rows)
    names = [a.get("aria-label", "") for a, _ in page.all("svg") if a.get("class") == "graph"]
    check("samples and steps have charts", sum("Samples of the window" in n for n in names) == 1 and
          sum("Depth of the search" in n for n in names) == 1, names)
    chart = next(t for t in re.findall(r"<svg.*?</svg>", read("until.html"), re.S) if "Depth of the search" in t)
    moves = re.findall(r"-?[0-9]+", re.search(r'class="line[^"]*" d="M[0-9]+ [0-9]+([^"]*)"', chart)[1])
    heights = [int(dy) for dy in moves[1::2]]
    depths = [s[1] for s in steps]
    check("... the line goes down and up with the depth", [dy < 0 for dy in heights if dy] ==
          [b > a for a, b in zip(depths, depths[1:]) if a != b], (heights, depths))
    check("the document in the page has the steps", embedded(page)["jobs"][1]["fiord"]["latency_target"]["steps"] ==
          search["fiord"]["latency_target"]["steps"])
    search["fiord"]["latency_target"]["answer"]["met"] = False
    with open(os.path.join(directory, "until.json"), "w", encoding="utf-8") as f:
        json.dump(doc, f)
    run("report", "until.json", "-o", "missed.html")
    check("a depth that misses the target after the search is no success", re.search(
        r'class="tile[^"]*warn[^"]*"><dt>Latency target.*?met in the search, and missed', read("missed.html")))


UNITS = {"": 1, "k": 1e3, "M": 1e6, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "bytes": 1, "%": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def figure(text):
    """A figure of a table, times in ns, and half of its last digit."""
    number, unit = re.fullmatch(r"([0-9.,]+) ?([^ /0-9]*)(?:/s)?", text).groups()
    return float(number.replace(",", "")) * UNITS[unit], 0.5001 * UNITS[unit] / 10 ** len(number.partition(".")[2])


def value(text):
    return figure(text)[0]


def same(texts, numbers):
    """Are the texts these numbers, rounded?"""
    return len(texts) == len(numbers) and all(abs(value(t) - n) <= figure(t)[1] for t, n in zip(texts, numbers))


def tables(text):
    """Each caption -> rows of texts."""
    found = {}
    for table in re.findall(r"<table.*?</table>", text, re.S):
        caption = html.unescape(re.search("<caption>(.*?)</caption>", table)[1])
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[2:]]
        found[caption] = [[html.unescape(cell) for cell in row] for row in rows]
    return found


def make_nights(name, nights, change):
    """Writes the documents of many nights into a directory, and returns them."""
    os.mkdir(os.path.join(directory, name))
    subprocess.run([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "trend_nights.py"), "make", "night.json", name,
                    str(nights), str(change)], cwd=directory, check=True)
    found = []
    for night in range(1, nights + 1):
        found.append(json.loads(read("%s/night-%03d.json" % (name, night))))
    return found


def trend_chart(page, text, title):
    """The points of a chart: (document, median, lowest, highest, documents); the places of its medians and of its lines down."""
    chart = next(c for c in re.findall('<svg xmlns.*?</svg></svg></svg>', text, re.S) if html.unescape(c).find('aria-label="%s"' % title) > 0)
    points = []
    for name in re.findall(r"<title>document=(.*?)</title>", chart):
        number, median, many = re.fullmatch(r"(\d+): ([^,]+), (?:the median of (\d+) documents, )?.*", name).groups()
        ends = re.search(r"documents, (.*?) to (.*?), from", name)
        points.append((int(number), median, *(ends.groups() if ends else (median, median)), int(many or 1)))
    levels = [(int(x), int(y), int(to)) for x, y, to in re.findall(r'<path class="line p99" d="M(\d+) (\d+)H(\d+)"/>', chart)]
    return points, levels, [int(x) for x in re.findall(r'<path class="line limit" d="M(\d+) 0V', chart)]


def trends():
    """The median of each point and each place is computed here from the documents."""
    hostile_name = "<b>&\"job"
    run("--name=" + hostile_name, "--ioengine=null", "--size=64m", "--rw=randrw", "--bs=4k", "--number_ios=2000", "--output-format=json+",
        "--output=night.json")
    for nights, change, joined in ((60, 41, 1), (1001, 601, 3)):
        label, name = "a trend of %d nights" % nights, "nights%d" % nights
        docs = make_nights(name, nights, change)
        check(label + " becomes a page", run("trend", name, "-o", name + ".html") == 0)
        text = read(name + ".html")
        page, found = frame(label, text), tables(text)
        check(label + ": it names the job as text", page.texts and hostile_name in page.all("main")[0][1] and not page.all("b"))
        check(label + ": each figure has a chart", len([a for a, _ in page.all("svg") if a.get("class") == "graph"]) ==
              len(found["The figures of set 1"]) == 15, len(found["The figures of set 1"]))
        want = [d["jobs"][0]["read"]["clat_ns"]["percentile"]["99.000000"] for d in docs]
        parts = [want[i:i + joined] for i in range(0, nights, joined)]
        points, levels, lines = trend_chart(page, text, hostile_name + ": read.p99")
        check(label + ": each point is the median of its documents", [p[0] for p in points] == [1 + joined * i for i in range(len(parts))] and
              [p[4] for p in points] == [len(p) for p in parts] and same([p[1] for p in points], [statistics.median(p) for p in parts]), points[:3])
        check(label + ": ... with their range", same([p[2] for p in points], [min(p) for p in parts]) and
              same([p[3] for p in points], [max(p) for p in parts]), points[:3])
        at = lambda document: 4000 * (document - 1) / joined / (len(parts) - 1)
        check(label + ": the change has a line at its document", [round(at(change))] == lines, lines)
        check(label + ": two medians meet there", len(levels) == 2 and abs(levels[1][0] - at(change)) <= 1 and abs(levels[0][2] - at(change - 1)) <= 1, levels)
        median = [statistics.median(want[:change - 1]), statistics.median(want[change - 1:])]
        axis = 220 * 4
        check(label + ": ... whose heights are theirs", abs((axis - levels[1][1]) / (axis - levels[0][1]) - median[1] / median[0]) < 0.01, (levels, median))
        check(label + ": the change is a row with its setting", [r[2] for r in found["Changes for good in set 1"]] == ["kernel: 6.1.0 -> 6.2.0"] and
              "night-%03d.json" % change in found["Changes for good in set 1"][0][0], found["Changes for good in set 1"])
        row = [r for r in found["The figures of set 1"] if r[1] == "read.p99"][0]
        check(label + ": the table has both medians", same(row[2:4], median) and row[7] == "document %d" % change, row)
    with open(os.path.join(directory, "night.html"), "w", encoding="utf-8") as f:
        f.write("<p>no result</p>")
    check("a trend by a key, with a condition and a file that is none, becomes a page", run("trend", "nights60", "night.html", "--by=environment.kernel",
          "--fail-if=p99 > +50%", "-o", "kernels.html") == 0)
    found = tables(read("kernels.html"))
    check("... which has them", [r[:2] for r in found["The documents of set 1"]] == [["6.1.0", "40"], ["6.2.0", "20"]] and
          [r[4] for r in found["The conditions of --fail-if"]] == ["passes"] * 2 and found["Files and documents that are not in the trend"][0][0] == "night.html", found)
    frame("a trend by a key", read("kernels.html"))


NASTY = '/<script>alert(1)</script>&"\'x\''


def make_trace(name, lengths=(4096, 4096, 8192, 65536)):
    """An iolog: bursts of reads and writes, at addresses of which some are hot, and flushes. Returns how many I/Os have the time of the
    one before."""
    random.seed(30)
    with open(os.path.join(directory, name), "w", encoding="utf-8") as log:
        log.write("fio version 3 iolog\n0 %s add\n0 %s open\n" % (NASTY, NASTY))
        time, zeros = 5000, 0  # us
        for i in range(20000):
            gap = random.choice((0, 1, 50, 50, 2000 if i % 1000 < 500 else 3))
            time, zeros = time + gap, zeros + (gap == 0 and i > 0)
            op, length = random.choice(("read", "read", "write")), random.choice(lengths)
            log.write("%d %s %s %d %d\n" % (time, NASTY, op, int(random.paretovariate(0.8)) % 100000 * 65536, length))
            if i % 50 == 0:
                log.write("%d %s sync 0 0\n" % (time, NASTY))
                zeros += 1
    return zeros


def size_bars(text, doc):
    """Are the bars the shares of the sizes, or of powers of two if there are many?"""
    many, shares, ios = len(doc["sizes"]) > 16 or doc["sizes_are_ranges"], {}, sum(s[op] for s in doc["sizes"] for op in ("read", "write", "trim"))
    for size in doc["sizes"]:
        name = 1 << size["bytes"].bit_length() - 1 if many else size["bytes"]
        shares[name] = shares.get(name, 0) + 100 * sum(size[op] for op in ("read", "write", "trim")) / ios
    chart = next(t for t in re.findall(r"<svg.*?</svg></svg>", text, re.S) if 'aria-label="I/Os by size' in t)
    got = [float(v) for v in re.findall(r'<text class="y" x="100%"[^>]*>([0-9.]+) %', chart)]
    near = all(abs(g - shares[k]) <= 0.0501 for g, k in zip(got, sorted(shares)))
    return len(got) == len(shares) and near and chart.count(">from ") == many * len(got)


def trace_times(label, page, text, doc):
    """The tables over time, each row of which has several intervals of the document, and the dot of the peak."""
    found, series, long = tables(text), doc["series"], doc["rate"]["interval_ns"]
    caption = {c.split(",")[0]: c for c in found}
    rows = found[caption["IOPS over time"]]
    join = -(-len(series) // 50)
    parts = [series[i:i + join] for i in range(0, len(series), join)]
    ops = [op for op in ("read", "write", "trim", "sync", "datasync") if doc[op]["ios"]]

    def rates(part, key, names):
        each = [sum(v[op][key] for v in part) * 1e9 / long / len(part) for op in names]
        return each + ([sum(each)] if len(each) > 1 else [])

    check(label + ": the table of IOPS over time", len(rows) == len(parts) > 1 and
          all(same(row[1:], rates(part, "ios", ops)) for row, part in zip(rows, parts)), rows[:2])
    check("... begins its rows at the times of the trace", same([r[0] for r in rows if r[0] != "0 ns"],
                                                               [p[0]["from_ns"] for p in parts if p[0]["from_ns"]]), rows[:2])
    rows, moved = found[caption["Bandwidth over time"]], [op for op in ops if op in ("read", "write")]
    check("... of bandwidth", len(rows) == len(parts) and
          all(same(row[1:], rates(part, "bytes", moved)) for row, part in zip(rows, parts)), rows[:2])
    check("... and of the working set", same([r[1] for r in found[caption["Working set over time"]]],
                                             [p[-1]["working_set_bytes"] for p in parts]))
    chart = next(t for t in re.findall(r"<svg.*?</svg></svg>", text, re.S) if 'aria-label="IOPS over time' in t)
    x, y = map(int, re.search(r'class="dot limit" d="M(\d+) (\d+)h0"', chart).groups())
    at = (doc["rate"]["peak_iops_at_ns"] - doc["first_ns"] + long / 2) / (len(series) * long)
    line = re.search(r'class="line max" d="M\d+ (\d+)l([^"]*)"', chart.split('class="plot"')[1])
    heights = itertools.accumulate([int(line[1])] + [int(v) for v in re.findall(r"-?\d+", line[2])][1::2])
    check("... the dot of the peak stands at its time, on the highest point of the line", abs(x - 4000 * at) <= 1 and y == min(heights), (x, at, y))


def trace_page(label, name, *options):
    """The figures of a trace's page are those of its JSON document, which t/run/trace.sh compares with the I/Os."""
    run("trace", name, *options, "--output=trace.json")
    doc = json.loads(read("trace.json"))
    check(label + ": a trace becomes a page", run("trace", name, *options, "-o", "trace.html") == 0)
    text = read("trace.html")
    page, found = frame(label, text), tables(text)
    places = doc["read"]["ios"] + doc["write"]["ios"]
    want = {"sequential": 100 * doc["sequential"]["ios"] / places, "working_set": doc["working_set"]["bytes"], "reuse": doc["reuse"]["percent"]}
    if "rate" in doc:
        want.update({k: doc["rate"][k] for k in ("iops", "peak_iops", "bytes_per_s", "peak_bytes_per_s")})
    if "skew" in doc:
        want["zipf_theta"] = doc["skew"]["zipf_theta"]
    if "depth" in doc:
        want["depth"] = doc["depth"]["mean"]
    got = tiles(page)
    check(label + ": the tiles have the figures of the document", got.keys() == want.keys() and
          all(abs(got[k] - want[k]) <= 1e-5 * want[k] + 1e-6 for k in want), (got, want))
    answer = [t for a, t in page.all("p") if a.get("class") == "answer"]
    check(label + ": the answer is a sentence", len(answer) == 1 and answer[0].startswith(
        "The trace has %s I/Os of %d device" % (format(doc["all"]["ios"], ","), len(doc["devices"]))), answer)
    names = [op for op in ("read", "write", "trim", "sync", "datasync") if doc[op]["ios"]]
    rows, sets = found["Operations"], {"read": ["read_bytes"], "write": ["written_bytes"]}
    check(label + ": each operation has its row", [r[0] for r in rows] == names and all(same([v for v in r[1:] if v], [
        doc[op]["ios"], 100 * doc[op]["ios"] / doc["all"]["ios"], *([doc[op]["bytes"]] if op in ("read", "write", "trim") else []),
        *(doc["working_set"][key] for key in sets.get(op, []))]) for r, op in zip(rows, names)), rows)
    rows = {r[0]: r[1:] for r in found["Devices, those with the most I/Os first"]}
    check(label + ": each device has its row", len(rows) == len(doc["devices"]) and all(same(rows[d["name"]], [
        d["read"]["ios"], d["write"]["ios"], d["trim"]["ios"], d["sync"]["ios"] + d["datasync"]["ios"], d["read"]["bytes"],
        d["write"]["bytes"], d["largest_address"]]) for d in doc["devices"]), rows)
    rows = found["I/Os by length, in ranges" if doc["sizes_are_ranges"] else "I/Os by length"]
    check(label + ": sizes", [[value(v) for v in r[1:]] for r in rows] == [[s[op] for op in ("read", "write", "trim")] for s in doc["sizes"]], rows)
    check("... and their bars", size_bars(text, doc))
    check(label + ": what caches serve", same([r[1] for r in found["Accesses that an LRU cache serves"]],
                                             [c["served_percent"] for c in doc["reuse"]["caches"]]))
    if "series" in doc:
        trace_times(label, page, text, doc)
    check(label + ": interarrival times only if the trace tells them", ("Interarrival times" in found) == ("interarrival_ns" in doc))
    if "interarrival_ns" in doc:
        gaps = doc["interarrival_ns"]
        check("... with their percentiles", same([r[1] for r in found["Interarrival times"]],
                                                 [gaps["mean"], *gaps["percentile"].values(), gaps["max"]]), found["Interarrival times"])
        check("... and the number of each", gaps["zeros"] + sum(value(r[1]) for r in found["Distribution of the interarrival times"]) ==
              doc["all"]["ios"] - 1)
    rows = found.get("Addresses by the number of their I/Os", [])
    check(label + ": the skew and its fit", same([v for r in rows for v in r], [s[k] for s in doc.get("skew", {}).get("shares", []) for k in (
        "at_most_ios", "addresses_percent", "fitted_percent")]), rows)
    return doc, page


def traces():
    name = "<i>&trace"
    zeros = make_trace(name)
    doc, page = trace_page("a trace with names of a stranger", name)
    check("... has the I/Os at the time of the one before", doc["interarrival_ns"]["zeros"] == zeros > 1000, (zeros, doc["interarrival_ns"]))
    check("... has a skew, and depths only where they are known", "skew" in doc and "depth" not in doc)
    check("... the names are shown as text", page.all("h1")[0][1] == "Trace " + name and NASTY in page.all("main")[0][1])
    trace_page("a part of a trace", name, "--from=200ms", "--to=1s")
    for n in 40, 100:
        make_trace("sizes", [512 * (i + 1) for i in range(n)])
        trace_page("a trace of %d sizes" % n, "sizes", "--to=200ms")
    subprocess.run([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace_figures.py"), "make"], cwd=directory, check=True)
    doc, page = trace_page("a trace of blktrace", "t")
    check("... has its depth", "depth" in doc)
    doc, page = trace_page("a trace in whole seconds", "t.tencent")
    check("... says so", "The stamps are whole seconds" in page.all("main")[0][1])
    with open(os.path.join(directory, "once"), "w", encoding="utf-8") as log:
        log.write("fio version 2 iolog\nf add\nf open\nf read 0 4096\nf close\n")
    check("a trace of one I/O becomes a page", run("trace", "once", "-o", "once.html") == 0)
    page = frame("a trace of one I/O", read("once.html"))
    check("... without rates", "All I/Os have the same time" in page.all("main")[0][1] and "iops" not in tiles(page))
    master, slave = pty.openpty()
    done = subprocess.run([fiord, "trace", "once", "--output-format=html"], cwd=directory, stdout=slave, stderr=subprocess.PIPE, text=True)
    check("no page is written to a terminal", done.returncode == 2 and "name a file" in done.stderr, done.stderr)


one_group()
several_jobs()
writers_with_a_rate()
several_hosts()
groups_and_errors()
rate()
notes()
hostile()
fewer_data()
until()
traces()
trends()
sys.exit(failures > 0)
