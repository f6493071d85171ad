"""trace_blktrace.py figures STAGE: blkparse's text on standard input -> the figures that fiord trace has for events of this stage (Q or D).
trace_blktrace.py ios: -> the queued I/Os, as a replay does them. Completions belong to the issues with the same sectors."""
import collections, json, re, sys

OPS = "read", "write", "trim", "sync"


def events():
    """(time_ns, action, operation, flush with data, FUA, offset, bytes); no operation: the second completion of a flush."""
    for line in sys.stdin:
        field = line.split()
        if len(field) < 7 or not re.fullmatch(r"\d+,\d+", field[0]):
            continue
        kind, sectors = field[6], int(field[9]) if field[8:9] == ["+"] else 0
        op = "trim" if "D" in kind else "sync" if not sectors and kind[0] == "F" else "" if not sectors else "write" if "W" in kind else "read"
        seconds, ns = field[3].split(".")
        yield (int(seconds) * 10**9 + int(ns), field[5], op, bool(sectors) and kind[0] == "F", "F" in kind[1:] and bool(sectors),
               int(field[7]) * 512 if sectors else 0, sectors * 512)


def depth(all_events):
    issued, steps = collections.defaultdict(list), []
    for time, action, op, _, _, offset, length in all_events:
        if action == "D":
            issued[offset, length].append(time)
        elif action == "C" and op:
            steps += [(issued[offset, length].pop(0), 1), (time, -1)]
    now, most, steps = 0, 0, sorted(steps)
    for _, step in steps:
        now += step
        most = max(most, now)
    mean = -sum(time * step for time, step in steps) / (steps[-1][0] - steps[0][0])
    return {"mean": float(f"{mean:.6g}"), "max": most}


everything = list(events())
stage = sys.argv[2] if sys.argv[1] == "figures" else "Q"
own = [e for e in everything if e[1] == stage and e[2]]
if sys.argv[1] == "ios":
    for e in own:
        print(e[2], *((e[5], e[6]) if e[2] != "sync" else ()))
else:
    print(json.dumps({"first_ns": own[0][0], "last_ns": own[-1][0],
                      **{op: {"ios": sum(e[2] == op for e in own), "bytes": sum(e[6] for e in own if e[2] == op)} for op in OPS},
                      "preflush": sum(e[3] for e in own), "fua": sum(e[4] for e in own), "depth": depth(everything)}, separators=(",", ":")))
