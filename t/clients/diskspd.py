#!/usr/bin/env python3
"""diskspd.py [--layout 2.3] [--named] FILE...: is a DISKSPD XML result valid for its readers?

The rules come from the documentation of DISKSPD (elements, their order, types and attributes; the schema of its profile)
and of PerfKitBenchmarker, not from fiord. Prints one line for each error and exits 1 if it finds any.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree
from xml.parsers import expat

# ---- results: the children of each element in their order, as a regular expression over names ----

AVERAGE = 'UsagePercent UserPercent KernelPercent IdlePercent'
IOPS = 'ReadIopsStdDev? WriteIopsStdDev? IopsStdDev? Bucket*'
LATENCY = ('(AverageReadMilliseconds ReadLatencyStdev )?(AverageWriteMilliseconds WriteLatencyStdev )?'
           '(AverageTotalMilliseconds LatencyStdev )?')
RESULTS = {
    'Results': 'System Profile TimeSpan+',
    'System': 'ComputerName ProcessorName@2.3 Tool RunTime PowerScheme PageSize@2.3 ProcessorTopology',
    'Tool': 'Version VersionDate',
    'PowerScheme': '',
    'ProcessorTopology': 'Group+ Node+ Socket+ Core+ Cache*@2.3',
    'Node': 'Group+', 'Socket': 'Group+', 'Core': '', 'Cache': 'Group+', 'Group': '',
    'TimeSpan': 'TestTimeSeconds ThreadCount RequestCount ProcCount EffectiveBufferSeparation@2.3 '
                'EffectiveAffinity@2.3 HeterogeneousAffinityWarning@2.3 CpuUtilization Latency? Iops? ETW? '
                'ETWSessionInfo? Thread+',
    'EffectiveAffinity': 'Group+',
    'CpuUtilization': 'CPU+ Average',
    'CPU': 'Socket Node Group Core EfficiencyClass Id ' + AVERAGE,
    'Average': AVERAGE,
    'Latency': LATENCY + ' Bucket+',
    'Latency/Bucket': 'Percentile ReadMilliseconds? WriteMilliseconds? TotalMilliseconds?',
    'Iops': IOPS,
    'Iops/Bucket': '',
    'Thread': 'Id SubmitCount@2.3 Target+ WaitStatistics?',
    'Target': 'Path BytesCount FileSize IOCount ReadBytes ReadCount WriteBytes WriteCount Distribution? '
              '(AverageReadLatencyMilliseconds ReadLatencyStdev )?(AverageWriteLatencyMilliseconds WriteLatencyStdev )?'
              '(AverageLatencyMilliseconds LatencyStdev )?Iops?',
    'Distribution': 'Absolute', 'Absolute': 'Range+',
    'WaitStatistics': 'CompletionWait ThrottleWait ThrottleSleep Lookaside LookasideCompletion',
}
# Groups of -e, which have only counts.
EVENTS = {'Process', 'Thread', 'ImageLoad', 'DiskIO', 'MemoryPageFaults', 'Network', 'Registry'}
COUNT, REAL2, REAL3 = r'\d+', r'\d+\.\d\d', r'\d+\.\d{3}'
TEXTS = {
    'TestTimeSeconds': REAL2, 'ComputerName': r'.+', 'ProcessorName': r'.*', 'Version': r'2\.\d+\.\d+',
    'VersionDate': r'\d{4}/\d+/\d+', 'RunTime': r'\d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC', 'Path': r'.+',
    'EffectiveBufferSeparation': 'SystemDefault|PDECacheLine', 'HeterogeneousAffinityWarning': r'.+',
    'Percentile': r'\d+(\.9+)?', 'Range': COUNT, 'LookasideCompletion': r'\d+( \d+){7}',
}
for name in AVERAGE.split():
    TEXTS[name] = REAL2
for name in re.findall(r'\w+', LATENCY + ' ' + RESULTS['Target'] + ' ' + RESULTS['Latency/Bucket'] + ' ' + IOPS):
    if re.search('Milliseconds$|St(d|dD)ev$', name):
        TEXTS[name] = REAL3
MASK = r'0x[0-9a-f]+'
GROUP = {'Group': COUNT, 'Mask': MASK}
BUCKET = {'SampleMillisecond': COUNT, 'Read': COUNT, 'Write': COUNT, 'Total': COUNT,
          'ReadLatencyStdDev': REAL3, 'WriteLatencyStdDev': REAL3}
BUCKET.update({d + which + 'LatencyMilliseconds': REAL3 for d in ('Read', 'Write') for which in ('Min', 'Max', 'Avg')})
ATTRIBUTES = {
    'PowerScheme': {'Name': '.*', 'Guid': '.*'},
    'ProcessorTopology': {'Heterogeneous': 'true|false'},
    'ProcessorTopology/Group': {'Group': COUNT, 'MaximumProcessors': COUNT, 'ActiveProcessors': COUNT,
                                'ActiveProcessorMask': MASK},
    'Node/Group': GROUP, 'Socket/Group': GROUP, 'Cache/Group': GROUP, 'EffectiveAffinity/Group': GROUP,
    'ProcessorTopology/Node': {'Node': COUNT}, 'ProcessorTopology/Socket': {'Socket': COUNT},
    'ProcessorTopology/Core': {'Group': COUNT, 'Core': COUNT, 'Mask': MASK, 'EfficiencyClass': COUNT},
    'Cache': {'Level': COUNT, 'Associativity': COUNT, 'LineSize': COUNT, 'CacheSize': COUNT, 'Type': r'\w+'},
    'Latency': {'ReadHistoBuckets': COUNT, 'WriteHistoBuckets': COUNT, 'TotalHistoBuckets': COUNT},
    'Iops/Bucket': BUCKET,
    'Range': {'IO': r'\d+(\.\d)?'},
}
# These elements have children under one parent and text under another.
LEAVES = {'CPU/Socket', 'CPU/Node', 'CPU/Group', 'CPU/Core'}
PERCENTILES = [str(n) for n in range(100)] + ['99.' + '9' * n for n in range(1, 8)] + ['100']

# ---- the profile: children in any order, each once (+: several times), with their types; * is required ----

BOOL = 'true|false'
PROFILE = {
    'Profile': {'TimeSpans*': None, 'Verbose': BOOL, 'VerboseStats': BOOL, 'Progress': COUNT, 'ExperimentFlags': COUNT,
                'ResultFormat': 'text|xml', 'ETW': None,
                'PrecreateFiles': 'UseMaxSize|CreateOnlyFilesWithConstantSizes|CreateOnlyFilesWithConstantOrZeroSizes'},
    'TimeSpans': {'TimeSpan*+': None},
    'ETW': {name: BOOL for name in 'Process Thread ImageLoad DiskIO MemoryPageFaults MemoryHardFaults Network Registry '
            'UsePagedMemory UsePerfTimer UseSystemTimer UseCyclesCounter'.split()},
    'TimeSpan': {'Targets*': None, 'Affinity': None, 'RandSeed': COUNT},
    'Targets': {'Target*+': None},
    'Affinity': {'AffinityAssignment+': '', 'AffinityGroupAssignment+': ''},
    'Target': {'Path*': '.+', 'RandomRatio': r'[1-9]\d?', 'WriteRatio': r'\d\d?|100', 'Throughput': COUNT,
               'Distribution': None, 'WriteBufferContent': None, 'ThreadTargets': None,
               'FlushType': 'ViewOfFile|NonVolatileMemory|NonVolatileMemoryNoDrain', 'IOPriority': '[0-3]'},
    'Distribution': {'Percent': None, 'Absolute': None},
    'Percent': {'Range*+': COUNT}, 'Absolute': {'Range*+': COUNT},
    'WriteBufferContent': {'Pattern*': 'sequential|zero|random', 'RandomDataSource': None},
    'RandomDataSource': {'SizeInBytes*': COUNT, 'FilePath': '.+'},
    'ThreadTargets': {'ThreadTarget*+': None}, 'ThreadTarget': {'Thread*': COUNT, 'Weight': COUNT},
}
PROFILE['TimeSpan'].update({n: COUNT for n in
                            'Duration Warmup Cooldown ThreadCount RequestCount IoBucketDuration'.split()})
PROFILE['TimeSpan'].update({n: BOOL for n in 'RandomWriteData GroupAffinity DisableAffinity CompletionRoutines '
                            'MeasureLatency CalculateIopsStdDev'.split()})
PROFILE['Target'].update({n: COUNT for n in 'BlockSize RequestCount ThreadsPerFile BurstSize ThinkTime Weight '
                          'BaseFileOffset MaxFileSize FileSize ThreadStride StrideSize Random'.split()})
PROFILE['Target'].update({n: BOOL for n in 'InterlockedSequential ParallelAsyncIO SequentialScan RandomAccess '
                          'TemporaryFile UseLargePages DisableOSCache WriteThrough DisableLocalCache MemoryMappedIo '
                          'DisableAllCache'.split()})
PROFILE_23 = {'TimeSpan': {'IoRing': None, 'AffinityTraversal': r'\w+', 'BufferSeparation': 'SystemDefault|PDECacheLine',
                           'CompletionDepth': COUNT},
              'Target': {'BypassIO': 'Partial|Full'},
              'IoRing': {'IoRingBatchSize': COUNT, 'UseRegBuffer': BOOL}}


class Checker:
    def __init__(self, layout):
        self.layout = layout
        self.problems = []

    def wrong(self, path, text):
        self.problems.append('/'.join(path) + ': ' + text)

    # -- results --

    def order(self, spec):
        """'A B? (C D)? E+ F@2.3' as a pattern over 'A B C D E E '."""
        out = ''
        for word in re.findall(r'[\w*+?@.]+|\(|\)\??', spec):
            if not word[0].isalpha():
                out += word
                continue
            name, how, version = re.fullmatch(r'(\w+)([*+?]?)(@2\.3)?', word).groups()
            if version and self.layout != '2.3':
                continue
            out += '(?:%s )%s' % (name, how or ('?' if version else ''))
        return out

    def attributes(self, e, path):
        pair = '/'.join(path[-2:])
        want = ATTRIBUTES.get(pair, {} if pair in LEAVES else ATTRIBUTES.get(path[-1], {}))
        if set(want) != set(e.attrib):
            self.wrong(path, 'attributes %s, not %s' % (sorted(e.attrib), sorted(want)))
        for name, value in e.attrib.items():
            if not re.fullmatch(want.get(name, '.*'), value):
                self.wrong(path, '%s="%s"' % (name, value))

    def leaf(self, e, path):
        if len(e):
            self.wrong(path, 'has an element <%s>' % e[0].tag)
        if not re.fullmatch(TEXTS.get(e.tag, COUNT), e.text or '', re.S):
            self.wrong(path, 'is "%s"' % e.text)

    def events(self, e, path):
        for group in e:
            if group.tag not in EVENTS:
                self.wrong(path, 'has an element <%s>' % group.tag)
            for event in group:
                self.leaf(event, path + [group.tag, event.tag])

    def result(self, e, path):
        pair = '/'.join(path[-2:])
        spec = None if pair in LEAVES else RESULTS.get(pair, RESULTS.get(e.tag))
        if e.tag == 'Profile':
            return self.profile(e, path)
        if e.tag == 'ETW':
            return self.events(e, path)
        self.attributes(e, path)
        if spec is None:
            return self.leaf(e, path)
        if (e.text or '').strip():
            self.wrong(path, 'has text "%s"' % e.text.strip())
        names = ''.join(c.tag + ' ' for c in e)
        if not re.fullmatch(self.order(spec), names) and not (e.tag == 'TimeSpan' and names == 'Error '):
            self.wrong(path, 'has %s, not %s' % (names, spec))
        if e.tag == 'Latency' and [p.text for p in e.iter('Percentile')] != PERCENTILES:
            self.wrong(path, 'has other percentiles')
        for c in e:
            if (c.tail or '').strip():
                self.wrong(path, 'has text "%s"' % c.tail.strip())
            if c.tag != 'Error':
                self.result(c, path + [c.tag])
        return None

    # -- profile --

    def profile(self, e, path):
        want = dict(PROFILE.get(e.tag, {}))
        if self.layout == '2.3':
            want.update(PROFILE_23.get(e.tag, {}))
        known = {k.strip('*+'): k for k in want}
        count = {}
        for c in e:
            count[c.tag] = count.get(c.tag, 0) + 1
            here = path + [c.tag]
            if c.tag not in known:
                self.wrong(path, 'has an element <%s>' % c.tag)
            elif count[c.tag] > 1 and '+' not in known[c.tag]:
                self.wrong(here, 'is there %u times' % count[c.tag])
            elif want[known[c.tag]] is None:
                self.profile(c, here)
            elif len(c) or not re.fullmatch(want[known[c.tag]], c.text or ''):
                self.wrong(here, 'is "%s"' % c.text)
        for name, key in known.items():
            if '*' in key and name not in count:
                self.wrong(path, 'has no <%s>' % name)


# ---- PerfKitBenchmarker: the elements that it converts to numbers ----

def number(e, path, checker):
    try:
        float(e.text)
    except (TypeError, ValueError):
        checker.wrong(path, 'PerfKitBenchmarker wants a number, not "%s"' % (e.text or '').strip())


def perfkit(root, checker):
    for span in root.findall('TimeSpan'):
        for parent in ('Latency', 'Iops', 'CpuUtilization/Average'):
            for e in span.findall(parent + '/*'):
                if e.tag != 'Bucket':
                    number(e, ['TimeSpan', parent, e.tag], checker)
        for target in span.findall('Thread/Target'):
            for e in target:
                if e.tag not in ('Path', 'FileSize', 'Iops', 'Distribution'):
                    number(e, ['TimeSpan', 'Thread', 'Target', e.tag], checker)
        for e in span:
            if not len(e) and e.tag in ('TestTimeSeconds', 'ThreadCount', 'RequestCount', 'ProcCount'):
                number(e, ['TimeSpan', e.tag], checker)


# ---- comments: behind the figures, because some readers walk over all nodes ----

def comments(text, named, checker):
    seen = {'comment': None}
    parser = expat.ParserCreate()

    def comment(_):
        seen['comment'] = parser.CurrentLineNumber

    def start(name, _):
        if seen['comment']:
            checker.wrong(['line %u' % parser.CurrentLineNumber], '<%s> stands behind a comment' % name)
            seen['comment'] = None

    parser.CommentHandler = comment
    parser.StartElementHandler = start
    parser.Parse(text, True)
    if named and seen['comment']:
        checker.wrong(['line %u' % seen['comment']], 'a comment, in DISKSPD\'s name')
    if not text.startswith('<Results>\n') or not text.endswith('</Results>'):
        checker.wrong(['document'], 'does not begin with <Results> and end with </Results>')


def main(argv):
    layout, named, bad = '2.2', False, 0
    while argv and argv[0].startswith('--'):
        option = argv.pop(0)
        named = named or option == '--named'
        layout = argv.pop(0) if option == '--layout' else layout
    for name in argv:
        with open(name, encoding='utf-8') as f:
            text = f.read()
        checker = Checker(layout)
        root = ElementTree.fromstring(text)
        if root.tag != 'Results':
            checker.wrong([root.tag], 'is not <Results>')
        checker.result(root, ['Results'])
        perfkit(root, checker)
        comments(text, named, checker)
        for problem in checker.problems:
            print('%s: %s' % (name, problem))
        bad += len(checker.problems)
    return 1 if bad or not argv else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
