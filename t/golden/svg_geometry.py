"""Do the charts show their data? Usage: svg_geometry.py GOLDEN_SVG_PROGRAM. The program draws its scenes, whose
formulas stand here a second time. The ticks of an axis give its scale: all of them must agree on it, and lines,
cells and bars must lie where that scale puts the data. Charts are read as XML, so they are well formed."""
import math, os, re, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

NS = '{http://www.w3.org/2000/svg}'
failures = 0


def check(label, good, detail=''):
    global failures
    failures += not good
    print(('ok - ' if good else 'not ok - ') + label + ('' if good else f': {detail}'))


def near(a, b, tolerance):
    return abs(a - b) <= tolerance


# ---- the data ----

INTERVALS = range(50)


def stalled(i):
    return 20 <= i < 25


def reads(i):
    return 0 if stalled(i) else 1005 + 20 * i


def bucket(ns):
    """The first value of the bucket of a latency, and its width (hist.h: 64 buckets an octave)."""
    shift = max(0, ns.bit_length() - 7)
    return ns >> shift << shift, 1 << shift


# ---- reading a chart ----

UNITS = {'ns': 1, 'µs': 1e3, 'ms': 1e6, 's': 1e9, '%': 1, 'IOPS': 1, 'k IOPS': 1e3, 'M IOPS': 1e6, 'B/s': 1, 'KiB/s': 1024,
         'MiB/s': 1 << 20, 'kB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'I/Os in flight': 1, '% of I/Os': 1, '': 1, None: 1}
TIMES = {'time in ms': (0.001, 0), 'time in s': (1, 0), 'time in min:s': (60, 1), 'time in h:min': (3600, 60), 'time in days': (86400, 0)}


def number(text):
    assert re.fullmatch(r'-?\d+(\.\d+)?', text), f'{text} is not a number'
    return float(text)


class Chart:
    def __init__(self, directory, name):
        self.text = open(os.path.join(directory, name + '.svg'), encoding='utf-8').read()
        self.root = ET.fromstring(self.text)
        self.frame = self.root.find(NS + 'svg')
        inner = self.frame.findall(NS + 'svg')
        self.plot = inner[0]
        self.left, _, self.wide, self.tall = (float(v) for v in self.plot.get('viewBox').split())
        self.height = float(self.plot.get('height'))
        self.unit = next((t.text for t in self.texts('unit') if t.get('class') == 'unit'), None)
        self.x_name = next((t.text for t in self.texts('unit') if t.get('class') == 'unit x'), None)
        self.x_ticks = [(number(t.get('x').rstrip('%')) / 100, t.text) for t in self.texts('x')
                        if 'unit' not in t.get('class')]
        self.y_ticks = [(1 - (number(t.get('y')) - 4) / self.height, t.text) for t in self.texts('y')
                        if t.get('x') == '-7']

    def texts(self, name):
        return [t for t in self.frame.iter(NS + 'text') if name in t.get('class', '').split()]

    def paths(self, name):
        """The pieces of a path of the plot, as lists of points in parts of the axes."""
        pieces = []
        for p in self.plot.findall(NS + 'path'):
            if not set(name.split()) <= set(p.get('class').split()):
                continue
            for piece in re.findall(r'M[^M]*', p.get('d')):
                pieces.append([((x - self.left) / self.wide, 1 - y / self.tall) for x, y in points(piece)])
        return pieces


def points(d):
    """M x y, then l dx dy ... (relative), h, v, H and V; z closes."""
    out, x, y = [], 0, 0
    for command, rest in re.findall(r'([MlhvHVz])([^MlhvHVz]*)', d):
        v = [float(n) for n in re.findall(r'-?\d+(?:\.\d+)?', rest)]
        if command == 'M':
            x, y = v
        elif command == 'l':
            for dx, dy in zip(v[::2], v[1::2]):
                x, y = x + dx, y + dy
                out.append((x, y))
            continue
        elif command == 'h':
            x += v[0]
        elif command == 'v':
            y += v[0]
        elif command == 'H':
            x = v[0]
        elif command == 'V':
            y = v[0]
        out.append((x, y))
    return out


def value(text, unit):
    """The value of a tick: with its own unit ("20 ns") or with that of the axis."""
    parts = text.split(' ', 1)
    return number(parts[0]) * UNITS[parts[1] if len(parts) > 1 else unit]


def time(text, name):
    factor, small = TIMES[name]
    big, colon, rest = text.partition(':')
    assert bool(colon) == bool(small), f'{text} as {name}'
    return number(big) * factor + (number(rest) * small if rest else 0)


def scale(label, ticks, log=False):
    """Checks that the ticks agree on one scale, and returns the function from values to places."""
    f = math.log if log else float
    (p0, v0), (p1, v1) = ticks[0], ticks[-1]
    slope = (p1 - p0) / (f(v1) - f(v0))
    place = lambda v: p0 + (f(v) - f(v0)) * slope
    check(f'{label}: {len(ticks)} ticks agree on a scale', all(near(place(v), p, 0.002) for p, v in ticks), ticks)
    check(f'{label}: ticks are round', all(round_number(v) for _, v in ticks), ticks)
    return place


def round_number(v):
    """Two figures at most, in decimal, binary or sexagesimal units."""
    for unit in (1, 1024, 1 << 20, 1 << 30, 60, 3600, 86400, 0.001):
        q = v / unit
        if q == 0 or near(q / 10 ** math.floor(math.log10(q)) * 10 % 1, 0, 1e-6) or near(q / 10 ** math.floor(math.log10(q)) * 10 % 1, 1, 1e-6):
            return True
    return False


def x_time(c, label):
    return scale(label, [(p, time(t, c.x_name)) for p, t in c.x_ticks])


def y_scale(c, label, log=False):
    return scale(label, [(p, value(t, c.unit)) for p, t in c.y_ticks], log)


def line_is(label, piece, data, x, y):
    """The points of a piece are the data, as far as 1/4 px goes."""
    want = [(x(t), y(v)) for t, v in data]
    good = len(piece) == len(want) and all(near(a, c, 0.0005) and near(b, d, 0.0015) for (a, b), (c, d) in zip(piece, want))
    check(label, good, f'{piece[:4]}... and {want[:4]}... ({len(piece)}, {len(want)})')


def middle(i):
    return (i + 0.5) / 10


def main(program):
    with tempfile.TemporaryDirectory() as d:
        env = dict(os.environ, SVG_DIR=d, LC_ALL='de_DE.UTF-8')
        env.pop('UPDATE', None)
        wrapper = os.environ.get('MESON_EXE_WRAPPER', '').split() # QEMU, for a program of another machine
        subprocess.run([*wrapper, program], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for scene in ('iops', 'bandwidth', 'latency', 'heat', 'depth', 'one-interval', 'minutes', 'day', 'week', 'percentiles',
                      'histogram', 'bars', 'parts', 'load', 'search', 'levels', 'inline-heat', 'inline-histogram'):
            form(Chart(d, scene), scene)
        rates(Chart(d, 'iops'), 1, 'IOPS')
        rates(Chart(d, 'bandwidth'), 4096, 'bandwidth')
        latency(Chart(d, 'latency'))
        heat(Chart(d, 'heat'))
        inline_heat(Chart(d, 'inline-heat'))
        inline_histogram(Chart(d, 'inline-histogram'))
        depth(Chart(d, 'depth'))
        for scene, unit, v in (('one-interval', 'IOPS', 2000), ('minutes', None, 12.5), ('day', 'M IOPS', 2.5e6),
                               ('week', 'MB/s', 1.3e9)):
            lone(Chart(d, scene), scene, unit, v)
        percentiles(Chart(d, 'percentiles'))
        histogram(Chart(d, 'histogram'))
        bars(Chart(d, 'bars'))
        parts(Chart(d, 'parts'))
        load(Chart(d, 'load'))
        search(Chart(d, 'search'))
        levels(Chart(d, 'levels'))
        css(open(os.path.join(d, 'style.svg'), encoding='utf-8').read())
    return failures


def form(c, scene):
    r = c.root
    check(f'{scene}: an image with a name', r.get('role') == 'img' and r.get('aria-label') and r.find(NS + 'title').text)
    check(f'{scene}: the label begins with the title', r.get('aria-label').startswith(r.find(NS + 'title').text))
    tags = {e.tag.replace(NS, '') for e in r.iter()}
    check(f'{scene}: no script, link, image or style', tags <= {'svg', 'title', 'desc', 'text', 'path', 'line', 'rect'}, tags)
    names = {a for e in r.iter() for a in e.attrib}
    bad = {a for a in names if a in ('style', 'id') or a.startswith('on') or 'href' in a}
    check(f'{scene}: no style, id, handler or reference', not bad, bad)
    check(f'{scene}: no number with a comma or an exponent', not re.search(r'"[^"]*\d(,\d|e[+-]\d)[^"]*"', c.text.split('</title>')[1]))
    ys = [p[1] for name in ('line', 'dot') for piece in c.paths(name) for p in piece]
    check(f'{scene}: everything lies in the plot', all(0 <= y <= 1 for y in ys))


def rates(c, size, label):
    x, y = x_time(c, label), y_scale(c, label)
    line_is(f'{label}: reads, with zeros while they stop', c.paths('read')[0],
            [(middle(i), reads(i) * 10 * size) for i in INTERVALS], x, y)
    check(f'{label}: one line without a gap', len(c.paths('read')) == 1)
    ends = c.paths('write')[0]
    line_is(f'{label}: writes', ends, [(middle(i), 5000 * size) for i in INTERVALS], x, y)
    names = [t.text for t in c.root.findall(NS + 'text')]
    check(f'{label}: the legend names both', len(names) == 2 and names[0] == 'read' and names[1].startswith('<script>'), names)
    check(f'{label}: labels at both line ends', len(c.texts('end')) == 2)
    check(f'{label}: data-x0 and data-x1', (c.root.get('data-x0'), c.root.get('data-x1')) == ('0', '5000'))


def latency(c):
    x, y = x_time(c, 'latency'), y_scale(c, 'latency', True)
    low, high = [i for i in INTERVALS if i < 20], [i for i in INTERVALS if i > 24]
    slow = lambda i: 9e6
    for name, ns in (('p50', lambda i: sum(bucket(100000)) - bucket(100000)[1] / 2), ('max', slow)):
        pieces = c.paths(name)
        check(f'{name}: a gap while nothing completed', len(pieces) == 2, len(pieces))
        line_is(f'{name} before the gap', pieces[0], [(middle(i), ns(i)) for i in low], x, y)
        line_is(f'{name} after it', pieces[-1], [(middle(i), ns(i)) for i in high], x, y)


def heat(c):
    x = x_time(c, 'heat')
    y = y_scale(c, 'heat', True)
    cells = []
    for level in range(1, 9):
        cells += [cell + (level,) for cell in strokes(c, f'h{level}')]

    def shade(i, ns):
        px, py = x(middle(i)), y(ns)
        hits = [l for x0, x1, y0, y1, l in cells if x0 <= px < x1 and y0 <= py < y1]
        return hits[0] if len(hits) == 1 else hits

    # The most I/Os in a cell are the 1980 of the last interval at 100 us; 8 shades by the logarithm.
    level = lambda n: min(8, 1 + math.floor(8 * math.log(n) / math.log(1980) + 1e-9)) if n else []
    for ns, count in ((100000, lambda i: 1000 + 20 * i), (9000000, lambda i: 5)):
        got = [shade(i, ns) for i in INTERVALS]
        want = [[] if stalled(i) else level(count(i)) for i in INTERVALS]
        check(f'heat map: the cells of {ns} ns', got == want, f'{got} {want}')
    area = sum((x1 - x0) for x0, x1, *_ in cells)
    check('heat map: there are no other cells', near(area, 2 * 45 / 50, 0.01), area)
    check('heat map: neighbours of one shade are one rectangle', len(cells) <= 6, len(cells))


def inline_heat(c):
    """4 of 1204 I/Os took 620 ns, one in every tenth interval, the others 1 to 30 ms."""
    x, y = x_time(c, 'inline-heat'), y_scale(c, 'inline-heat', True)
    check('few I/Os of 620 ns: the axis begins above 500 us', y(500000) < 0, y(500000))
    check('... and ends with the others', y(30000000) < 1 < y(50000000), y(30000000))
    cells = [cell for level in range(1, 9) for cell in strokes(c, f'h{level}')]
    lowest = sorted((x0, x1) for x0, x1, y0, _ in cells if y0 < 0.01)
    want = [(x(i / 10), x((i + 1) / 10)) for i in range(0, 40, 10)]
    good = len(lowest) == 4 and all(near(a, c, 0.001) and near(b, d, 0.001) for (a, b), (c, d) in zip(lowest, want))
    check('... they stand in the lowest row, at their times', good, f'{lowest} {want}')
    rest = sum(x1 - x0 for x0, x1, y0, _ in cells if y0 >= 0.01)
    check('... and no other row lacks I/Os of an interval', near(rest, round(rest), 0.01) and rest >= 7, rest)


def inline_histogram(c):
    x = scale('inline-histogram', [(p, value(t, None)) for p, t in c.x_ticks], True)
    y = y_scale(c, 'inline-histogram')
    check('few I/Os of 620 ns: the axis of latencies begins above 500 us', x(500000) < 0, x(500000))
    outline = c.paths('read')[0]
    flat = [b for a, b in zip(outline, outline[1:]) if near(a[1], b[1], 1e-9)]
    check('... and their bar has 0.33 %', near(flat[0][1], y(4 / 1204 * 100), 0.004), flat[0])
    rest = sum(v for _, v in flat[1:]) / y(1)
    check('... and the others have the rest', near(rest, 1200 / 1204 * 100, 0.3), rest)


def strokes(c, name):
    """The cells of a shade, x0, x1, y0, y1 in parts of the axes: horizontal strokes as wide as their row is high."""
    out = []
    for p in c.plot.findall(NS + 'path'):
        if name not in p.get('class').split():
            continue
        half, x, y = number(p.get('stroke-width')) / 2, None, None
        for command, rest in re.findall(r'([Mmh])([^Mmh]*)', p.get('d')):
            v = [number(n) for n in rest.split()]
            if command == 'M':
                x, y = v
            elif command == 'm':
                x, y = x + v[0], y + v[1]
            else:
                out.append(((x - c.left) / c.wide, (x + v[0] - c.left) / c.wide, 1 - (y + half) / c.tall, 1 - (y - half) / c.tall))
                x += v[0]
    return out


def depth(c):
    x, y = x_time(c, 'depth'), y_scale(c, 'depth')
    # Completions are spread over their interval, so that half of lat^2/T lies in the one before.
    lat, count = lambda i: 0.25 + 0.001 * i, 500
    before = lambda i: count * lat(i) ** 2 / 2 / 100 if i < 50 else 0
    ms = [count * lat(i) - (before(i) if i else 0) + before(i + 1) for i in INTERVALS]
    line_is('depth: the sum of the latencies, divided by the time', c.paths('line')[0],
            [(middle(i), ms[i] / 100) for i in INTERVALS], x, y)


def lone(c, scene, unit, v):
    x_time(c, scene)
    y = y_scale(c, scene)
    check(f'{scene}: the unit', c.unit == unit or not unit, c.unit)
    piece = c.paths('dot')[0]
    check(f'{scene}: a dot in the middle', len(piece) == 2 and piece[0] == piece[1] and near(piece[0][0], 0.5, 1e-3) and
          near(piece[0][1], y(v), 0.0015), piece)


def percentiles(c):
    y = y_scale(c, 'percentiles', True)
    ticks = [(p, value(t, None)) for p, t in c.x_ticks]
    want = [0, 50, 90, 99, 99.9]
    check('percentiles: ticks as far as 1000 I/Os can show', [v for _, v in ticks] == want, ticks)
    nines = lambda percent: -math.log10(1 - percent / 100) / 3
    check('percentiles: each nine has the same width', all(near(p, nines(v), 1e-4) for p, v in ticks), ticks)
    # 10 I/Os of each of 1..100 us: the percentile p is ceil(p) us.
    curve = c.paths('line read')[0]
    good = all(near(v, y(1000 * math.ceil(100 * (1 - 10 ** (-3 * x)) - 0.08)), 0.02) for x, v in curve)
    check('percentiles: the curve', good and len(curve) > 40, curve)
    check('percentiles: it ends with the maximum', near(curve[-1][0], 1, 1e-6) and near(curve[-1][1], y(100000), 0.0015), curve[-1])


def histogram(c):
    x = scale('histogram', [(p, value(t, None)) for p, t in c.x_ticks], True)
    y = y_scale(c, 'histogram')
    for look, data in (('read', [((i + 1) * 1000, 10) for i in range(100)]), ('write', [(20, 1), (600000000000, 3)])):
        outline = c.paths(look)[0]
        check(f'histogram: the {look} outline begins and ends at zero', near(outline[0][1], y(0), 1e-6) and near(outline[-1][1], y(0), 1e-6))
        total = sum(n for _, n in data)
        got, want = 0, 0
        for (x0, y0), (x1, y1) in zip(outline, outline[1:]):
            if not near(y0, y1, 1e-9):
                continue
            inside = sum(n for ns, n in data if x0 <= x(sum(bucket(ns)) - bucket(ns)[1] / 2) < x1) / total * 100
            got += 1
            want += near(y0, y(inside), 0.004)
        check(f'histogram: the bars of {look} have their shares', got == want and got > 2, f'{want} of {got}')


def bars(c):
    x = scale('bars', [(p, value(t, '%')) for p, t in c.x_ticks])
    rects = [r for r in c.frame.iter(NS + 'rect')]
    part = lambda r, a: number(r.get(a).rstrip('%')) / 100
    want = [(0, 12.5), (12.5, 52.5), (0, 0), (0, 130.04)]
    got = [(part(r, 'x'), part(r, 'x') + part(r, 'width')) for r in rects]
    check('bars: parts follow each other', all(near(a, x(f), 0.001) and near(b, x(t), 0.001) for (a, b), (f, t) in zip(got, want)) and
          len(got) == 4, got)
    check('bars: their values', [t.text for t in c.texts('y')] == ['52.5 %', '130 %'], [t.text for t in c.texts('y')])
    check('bars: tooltips', [r.find(NS + 'title').text for r in rects][:2] == ['user 12.5 %', 'system 40 %'])


def parts(c):
    x = scale('parts', [(p, value(t, 'µs')) for p, t in c.x_ticks])
    rects = [r for r in c.frame.iter(NS + 'rect')]
    part = lambda r, a: number(r.get(a).rstrip('%')) / 100
    want = [(0, 20e3), (20e3, 60e3), (60e3, 180e3), (180e3, 200e3), (0, 0), (0, 0), (0, 50e3), (50e3, 50e3)]
    got = [(part(r, 'x'), part(r, 'x') + part(r, 'width')) for r in rects]
    check('parts: four parts follow each other', all(near(a, x(f), 0.001) and near(b, x(t), 0.001) for (a, b), (f, t) in zip(got, want)) and
          len(got) == 8, got)
    check('parts: the sums have units', [t.text for t in c.texts('y')] == ['200 µs', '50.0 µs'], [t.text for t in c.texts('y')])
    check('parts: tooltips', rects[2].find(NS + 'title').text == 'device 120 µs', rects[2].find(NS + 'title').text)


def load(c):
    x = scale('load', [(p, value(t, c.x_name)) for p, t in c.x_ticks])
    y = y_scale(c, 'load', True)
    want = []
    for look, ns in (('read', 1e6), ('write', 1.05e6)):
        data = [(min(d, 8) * 1e9 / ns, ns * max(1, d / 8)) for d in (1, 2, 4, 8, 16, 32)]
        want += [(x(iops), y(t)) for iops, t in data]
        line_is(f'load: the {look} curve', c.paths(f'line {look}')[0], data, x, y)
    knee = [(x(8000), y(1e6)), (x(8000), 0)]
    got = c.paths('line read')[1]
    check('load: a line from the knee down', all(near(a, p, 1e-3) and near(b, q, 2e-3) for (a, b), (p, q) in zip(got, knee)), got)
    # The points of both curves stand close together. Those at 1, 4 and 32 I/Os in flight have room for labels.
    names = {(round(p, 3), str(1 << i % 6)) for i, (p, _) in enumerate(want)}
    shown = [(number(t.get('x').rstrip('%')) / 100, t.text) for t in c.texts('mark')]
    check('load: labels belong to points', shown and all((round(p, 3), n) in names for p, n in shown), shown)
    check('load: the ends of the curve have labels', {'1', '32'} <= {n for _, n in shown}, shown)
    lines = [(a, b) for piece in c.paths('line') for a, b in zip(piece, piece[1:])]
    for wide in (250, 390, 600, 900, 1140):
        hidden = [t.text for t in c.texts('mark') if any(crosses(label(c, t, wide), a, b, wide, c.height) for a, b in lines)]
        check(f'load: no label lies on a line, {wide} px wide', not hidden, hidden)


def label(c, t, wide):
    """The box of a label in px: five px for a digit, eight above the base line."""
    x = number(t.get('x').rstrip('%')) / 100 * wide + number(t.get('dx', '0'))
    width, y = 5 * len(t.text), number(t.get('y'))
    left = x - {'start': 0, 'end': width}.get(t.get('text-anchor'), width / 2)
    return left, y - 8, left + width, y


def crosses(box, a, b, wide, height, steps=400):
    """Whether one of many points of the line from a to b lies in the box."""
    for i in range(steps + 1):
        x = (a[0] + (b[0] - a[0]) * i / steps) * wide
        y = (1 - a[1] - (b[1] - a[1]) * i / steps) * height
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            return True
    return False


def search(c):
    y = y_scale(c, 'search', True)
    depths = (1, 8, 12, 16, 17, 32)
    check('search: the values that were run stand below the axis', [t for _, t in c.x_ticks] == [str(d) for d in depths], c.x_ticks)
    data = [(i, 1e6 * max(1, d / 8)) for i, d in enumerate(depths)]
    line_is('search: the curve', c.paths('line read')[0], data, lambda i: i / 5, y)
    line_is('search: a line at the limit from end to end', c.paths('line limit')[0], [(0, 2e6), (5, 2e6)], lambda i: i / 5, y)
    ring = c.paths('ring')
    check('search: one ring, around the point of the answer', len(ring) == 1 and near(ring[0][0][0], 0.6, 1e-3) and
          near(ring[0][0][1], y(2e6), 2e-3), ring)
    legend = [t.text for t in c.root.findall(NS + 'text')]
    check('search: the legend names limit and answer', legend == ['read.lat.mean', 'limit <= 2.00 ms', 'answer: iodepth=16'], legend)
    check('search: the limit has a label at its end', [t.text for t in c.texts('end')] == ['limit'])


def levels(c):
    y, x = y_scale(c, 'levels'), lambda i: i / 5
    check('levels: times on a linear axis have their unit beside it', c.unit == 'µs', c.unit)
    line_is('levels: the curve', c.paths('line read')[0], enumerate((19e3, 21e3, 20e3, 31e3, 29e3, 30e3)), x, y)
    for i, (first, last, v, low, high) in enumerate(((0, 2, 20e3, 19e3, 21e3), (3, 5, 30e3, 28.5e3, 31.5e3))):
        line_is(f'levels: level {i}', c.paths('line p99')[i], [(first, v), (last, v)], x, y)
        line_is(f'levels: its noise {i}', c.paths('area p99')[i][:4], [(first, low), (last, low), (last, high), (first, high)], x, y)
    mark = c.paths('line limit')
    check('levels: one line, at the first point of the second one', len(mark) == 1 and near(mark[0][0][0], 0.6, 1e-3), mark)


def css(text):
    check('style: no reference', not re.search(r'url\(|@import|//', text))
    used = set(re.findall(r'var\((--[a-z0-9-]+)\)', text))
    defined = set(re.findall(r'(--[a-z0-9-]+):', text))
    check('style: every variable is defined', used <= defined, used - defined)
    check('style: braces match', text.count('{') == text.count('}'))


if __name__ == '__main__':
    sys.exit(1 if main(sys.argv[1]) else 0)
