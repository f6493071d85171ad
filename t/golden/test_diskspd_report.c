/* Are DISKSPD's reports still the same? Results written by hand, compared with
   t/golden/report/diskspd-NAME.txt and .xml. UPDATE=1 rewrites them, except for diskspd-reference.txt, which
   is the sample of the documentation. */
#include "sample_spans.h"
#include "strbuf.h"

/* ---- the sample of the documentation (3.2, 3.3) ---- */

#define GIB (1ull << 30)

static const struct span_cpu sample_cpu[] = {
	{ 0, 0, 0, 0, 0, 0, { 61.12, 9.44, 51.68, 38.88, 12.5 } },
	{ 0, 0, 0, 1, 0, 1, { 60.87, 9.31, 51.56, 39.13 } },
	{ 0, 0, 0, 2, 0, 2, { 2.10, 0.63, 1.47, 97.90 } },
	{ 0, 0, 0, 3, 0, 3, { 1.43, 0.50, 0.93, 98.57 } },
};
static const struct span_write_through sample_through[] = { { "/data/io.dat", "flush" } };
static const struct span_mask two_cpus[] = { { 0, 3 } };

static struct span_flow flow(uint64_t ios, double mean_us, double stddev_us, double iops_stddev)
{
	return (struct span_flow){ .bytes = ios * 4096,
				   .ios = ios,
				   .iops_stddev = iops_stddev,
				   .lat = hand_moments(ios, mean_us, stddev_us) };
}

static struct span_bucket sample_bucket(void)
{
	struct span_bucket b = { .end_ms = 1000, .iops_s = { 80112.4, 26701, 106813.4 } };

	b.lat[SPAN_READ] = hand_moments(80112, 412, 309);
	b.lat[SPAN_READ].min = 75000;
	b.lat[SPAN_READ].max = 6902000;
	b.lat[SPAN_WRITE] = hand_moments(26701, 655, 401);
	b.lat[SPAN_WRITE].min = 101000;
	b.lat[SPAN_WRITE].max = 8551000;
	return b;
}

static void add_sample_span(struct hand *h)
{
	static const unsigned read_us[HAND_BINS] = { 71,   231,   356,   519,   718,   872,   1391, 3118,
						     6902, 12377, 16240, 17031, 17031, 17031, 17031 },
			      write_us[HAND_BINS] = { 98,   402,   577,   811,   1102,  1337,  2044, 4012,
						      8551, 14902, 18377, 18377, 18377, 18377, 18377 },
			      total_us[HAND_BINS] = { 71,   262,   401,   589,   823,   1003,  1602, 3377,
						      7240, 13011, 17905, 18377, 18377, 18377, 18377 };
	struct hand_bins bins[SPAN_KINDS] = { 0 };
	struct span_bucket bucket = sample_bucket();
	struct span_row row[2] = {
		{ .path = "/data/io.dat", .size = GIB, .storage = 1, .buckets = &bucket, .nbuckets = 1 },
		{ .path = "/data/io.dat", .size = GIB, .storage = 1, .buckets = &bucket, .nbuckets = 1 },
	};
	struct span_thread thread[2] = { { .id = 0, .rows = &row[0], .nrows = 1 },
					 { .id = 1, .rows = &row[1], .nrows = 1 } };
	struct result_span s = { .number = 1,
				 .seconds = 30,
				 .seconds_cfg = 30,
				 .cpus = sample_cpu,
				 .ncpus = 4,
				 .cpu_mean = { 31.38, 4.97, 26.41, 68.62, 3.12 },
				 .affinity = { two_cpus, 1 },
				 .threads = thread,
				 .nthreads = 2,
				 .buckets = &bucket,
				 .nbuckets = 1,
				 .write_throughs = sample_through,
				 .nwrite_throughs = 1 };

	row[0].flow[SPAN_READ] = flow(1203412, 412, 311, 611.20);
	row[0].flow[SPAN_WRITE] = flow(401377, 655, 402, 205.87);
	row[0].flow[SPAN_TOTAL] = flow(0, 473, 362, 812.44);
	row[1].flow[SPAN_READ] = flow(1198877, 414, 309, 611.20);
	row[1].flow[SPAN_WRITE] = flow(399601, 659, 407, 205.87);
	row[1].flow[SPAN_TOTAL] = flow(0, 475, 362, 812.44);
	row[0].flow[SPAN_TOTAL].lat.n = 1604789;
	row[1].flow[SPAN_TOTAL].lat.n = 1598478;
	s.flow[SPAN_READ].lat = hand_lat(&bins[0], 2402289, read_us, 413, 310);
	s.flow[SPAN_WRITE].lat = hand_lat(&bins[1], 800978, write_us, 657, 404);
	s.flow[SPAN_TOTAL].lat = hand_lat(&bins[2], 3203267, total_us, 474, 362);
	s.flow[SPAN_READ].iops_stddev = 977.92;
	s.flow[SPAN_WRITE].iops_stddev = 329.39;
	s.flow[SPAN_TOTAL].iops_stddev = 1299.90;
	result_add_span(&h->r, &s);
}

static const char sample_line[] = "-b4K -d30 -o32 -t2 -r -w25 -Sh -D -L -c1G /data/io.dat";

static void make_sample(struct hand *h, enum ds_layout layout)
{
	hand_begin(h, sample_line);
	h->head.layout = layout;
	result_set_spans(&h->r, &h->head);
	add_sample_span(h);
	result_note(&h->r, "-c1G: /data/io.dat is kept: it is large enough");
	result_finish(&h->r);
}

/* The text behind the sample is fiord's. */
static void test_sample(void **state)
{
	char *want = read_golden("diskspd-reference.txt"), *text;
	struct hand h;

	(void)state;
	make_sample(&h, DS_LAYOUT_22);
	golden(&h.r, "sample");
	text = text_of(&h.r);
	if (strncmp(text, want, strlen(want)) != 0)
		assert_string_equal(text, want);
	assert_string_equal(
		text + strlen(want),
		"\nToo few samples: Read from 7-nines on (2402289), Write "
		"from 6-nines on "
		"(800978), Total from 7-nines on (3203267); a percentile with k nines needs 10^k samples.\n"
		"\nfiord 1.0.0, in the form of DISKSPD 2.2\n"
		"write-through on /data/io.dat: flush: the device's cache is flushed after each write\n"
		"note: -c1G: /data/io.dat is kept: it is large enough\n");
	free(text);
	free(want);
	hand_fini(&h);
}

/* The port names the disk of a partition, and else the device itself: of a volume not one of its disks. */
static void test_port_disks(void **state)
{
	static const struct {
		const char *kind[3], *want;
	} cases[] = {
		{ { "disk" }, "\t\tblock device: 0-disk\n\t\tdevice scheduler: none\n" },
		{ { "partition", "disk" }, "\t\tblock device: 1-disk\n" },
		{ { "dm", "partition", "disk" }, "\t\tblock device: 0-dm\n" },
		{ { "md", "disk", "disk" }, "\t\tblock device: 0-md\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct result_device dev[3] = { 0 };
		struct result_target t = { .path = "/data/io.dat", .type = "file", .files = 1, .devs = dev };
		struct hand h;
		char *text, name[32];

		hand_begin(&h, sample_line);
		for (; t.ndevs < 3 && cases[i].kind[t.ndevs]; t.ndevs++) {
			snprintf(name, sizeof(name), "%u-%s", t.ndevs, cases[i].kind[t.ndevs]);
			props_text(&dev[t.ndevs].props, "name", name);
			props_text(&dev[t.ndevs].props, "kind", cases[i].kind[t.ndevs]);
			props_text(&dev[t.ndevs].props, "scheduler", "none");
		}
		h.head.layout = DS_LAYOUT_PORT;
		h.head.system.libata_fua = "N";
		result_set_spans(&h.r, &h.head);
		result_add_target(&h.r, &t);
		add_sample_span(&h);
		result_finish(&h.r);
		text = text_of(&h.r);
		assert_has(text, cases[i].want);
		assert_has(text, "\tprocessor count: 4\n\tcaching options: fua=N\n\nInput");
		free(text);
		for (unsigned k = 0; k < t.ndevs; k++)
			props_fini(&dev[k].props);
		hand_fini(&h);
	}
}

/* The differences that the documentation lists. */
static void test_layout_23(void **state)
{
	static const char *const parts[] = {
		"Input parameters:\n\n  timespan:   1\n  -------------\n    duration: 30s\n"
		"    warm up time: 5s\n    cool down time: 0s\n    measuring latency\n"
		"    gathering IOPS at intervals of 1000ms\n    random seed: 0\n"
		"    affinity assignment: cpu order, fill groups, P-cores first\n"
		"    buffer separation: thread optimized (16MiB)\n    path: '/data/io.dat'\n"
		"      think time: 0ms\n",
		"System information:\n\n  computer name:        bench01\n  processor name:       Example "
		"CPU\n"
		"  start time:           2025/11/20 20:15:07 UTC\n  active power scheme:  performance\n"
		"  page size:            4KiB\n\n  cpu count:            4\n  core count:           4\n"
		"  group count:          1\n  node count:           1\n  socket count:         1\n"
		"  heterogeneous cores:  n\n\n  cache information:\n\n"
		"    Cache |   Size   | Line  | Assoc  | CPU\n"
		"    -------------------------------------------------------\n"
		"    L3    |    16MiB |   64B | 16-way | 0-3\n\nResults for timespan 1:\n",
		"actual test time:\t30.00s\nthread count:\t\t2\n\neffective affinity (cpu): 0-1\n\nCPU |",
	};
	struct hand h;
	char *text;

	(void)state;
	make_sample(&h, DS_LAYOUT_23);
	golden(&h.r, "sample-2.3");
	text = text_of(&h.r);
	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		assert_has(text, parts[i]);
	free(text);
	hand_fini(&h);
}

/* The old layouts of articles and their scripts, and that of diskspd-for-linux. */
static void test_old_layouts(void **state)
{
	static const struct {
		enum ds_layout layout;
		const char *file, *parts[8];
	} old[] = {
		{ DS_LAYOUT_20,
		  "diskspd-sample-2.0.txt",
		  { "\t\tsoftware and hardware write cache disabled\n",
		    "|     208.96 |   53492.97 |    0.473 |     812.44 |     0.362 | /data/io.dat (1024MB)\n",
		    "8-nines |     17.031 |     18.377 |     18.377\n    max |",
		    "in the form of DISKSPD 2.0\n" } },
		{ DS_LAYOUT_2017,
		  "diskspd-sample-2.0.17.txt",
		  { "\t\tsoftware cache disabled\n\t\thardware write cache disabled, writethrough on\n",
		    "IO priority: normal\n\n\n\nResults for timespan 1:\n", "/data/io.dat (1024MB)\n",
		    "9-nines |     17.031 |", "in the form of DISKSPD 2.0.17\n" } },
		{ DS_LAYOUT_2021,
		  "diskspd-sample-2.0.21.txt",
		  { "/data/io.dat (1024MiB)\n", "\n\n\n\ntotal:\n" } },
		{ DS_LAYOUT_21, "diskspd-sample-2.1.txt", { "/data/io.dat (1GiB)\n", "\n\n\n\ntotal:\n" } },
		{ DS_LAYOUT_PORT,
		  "diskspd-sample-port.txt",
		  { "System info:\n\tprocessor count: 4\n\nInput parameters:\n\n\tjob:   1\n",
		    "using O_DIRECT\n\t\tusing O_SYNC\n", "\t\tblock device: unknown\n",
		    "    0 |  61.12% |   9.44% |  51.68% |  12.50% |  26.38% \n", "diskspd-for-linux\n" } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(old) / sizeof(*old); i++) {
		struct strbuf b = { 0 };
		struct hand h;

		make_sample(&h, old[i].layout);
		assert_int_equal(report_diskspd(&h.r, &b), 0);
		check_golden(old[i].file, &b);
		for (unsigned k = 0; old[i].parts[k]; k++)
			assert_has(strbuf_str(&b), old[i].parts[k]);
		assert_has_not(strbuf_str(&b), "Total latency distribution");
		strbuf_fini(&b);
		hand_fini(&h);
	}
}

/* ---- elements and their order ---- */

static const char *const order[] = {
	"/Results",
	"/Results/System",
	"/Results/System/ComputerName",
	"/Results/System/Tool",
	"/Results/System/Tool/Version",
	"/Results/System/Tool/VersionDate",
	"/Results/System/RunTime",
	"/Results/System/PowerScheme",
	"/Results/System/ProcessorTopology",
	"/Results/System/ProcessorTopology/Group",
	"/Results/System/ProcessorTopology/Node",
	"/Results/System/ProcessorTopology/Node/Group",
	"/Results/System/ProcessorTopology/Socket",
	"/Results/System/ProcessorTopology/Socket/Group",
	"/Results/System/ProcessorTopology/Core",
	"/Results/Profile",
	"/Results/TimeSpan",
	"/Results/TimeSpan/TestTimeSeconds",
	"/Results/TimeSpan/ThreadCount",
	"/Results/TimeSpan/RequestCount",
	"/Results/TimeSpan/ProcCount",
	"/Results/TimeSpan/CpuUtilization",
	"/Results/TimeSpan/CpuUtilization/CPU",
	"/Results/TimeSpan/CpuUtilization/CPU/Socket",
	"/Results/TimeSpan/CpuUtilization/CPU/Node",
	"/Results/TimeSpan/CpuUtilization/CPU/Group",
	"/Results/TimeSpan/CpuUtilization/CPU/Core",
	"/Results/TimeSpan/CpuUtilization/CPU/EfficiencyClass",
	"/Results/TimeSpan/CpuUtilization/CPU/Id",
	"/Results/TimeSpan/CpuUtilization/CPU/UsagePercent",
	"/Results/TimeSpan/CpuUtilization/CPU/UserPercent",
	"/Results/TimeSpan/CpuUtilization/CPU/KernelPercent",
	"/Results/TimeSpan/CpuUtilization/CPU/IdlePercent",
	"/Results/TimeSpan/CpuUtilization/Average",
	"/Results/TimeSpan/CpuUtilization/Average/UsagePercent",
	"/Results/TimeSpan/CpuUtilization/Average/UserPercent",
	"/Results/TimeSpan/CpuUtilization/Average/KernelPercent",
	"/Results/TimeSpan/CpuUtilization/Average/IdlePercent",
	"/Results/TimeSpan/Latency",
	"/Results/TimeSpan/Latency/AverageReadMilliseconds",
	"/Results/TimeSpan/Latency/ReadLatencyStdev",
	"/Results/TimeSpan/Latency/AverageWriteMilliseconds",
	"/Results/TimeSpan/Latency/WriteLatencyStdev",
	"/Results/TimeSpan/Latency/AverageTotalMilliseconds",
	"/Results/TimeSpan/Latency/LatencyStdev",
	"/Results/TimeSpan/Latency/Bucket",
	"/Results/TimeSpan/Latency/Bucket/Percentile",
	"/Results/TimeSpan/Latency/Bucket/ReadMilliseconds",
	"/Results/TimeSpan/Latency/Bucket/WriteMilliseconds",
	"/Results/TimeSpan/Latency/Bucket/TotalMilliseconds",
	"/Results/TimeSpan/Iops",
	"/Results/TimeSpan/Iops/ReadIopsStdDev",
	"/Results/TimeSpan/Iops/WriteIopsStdDev",
	"/Results/TimeSpan/Iops/IopsStdDev",
	"/Results/TimeSpan/Iops/Bucket",
	"/Results/TimeSpan/Thread",
	"/Results/TimeSpan/Thread/Id",
	"/Results/TimeSpan/Thread/Target",
	"/Results/TimeSpan/Thread/Target/Path",
	"/Results/TimeSpan/Thread/Target/BytesCount",
	"/Results/TimeSpan/Thread/Target/FileSize",
	"/Results/TimeSpan/Thread/Target/IOCount",
	"/Results/TimeSpan/Thread/Target/ReadBytes",
	"/Results/TimeSpan/Thread/Target/ReadCount",
	"/Results/TimeSpan/Thread/Target/WriteBytes",
	"/Results/TimeSpan/Thread/Target/WriteCount",
	"/Results/TimeSpan/Thread/Target/AverageReadLatencyMilliseconds",
	"/Results/TimeSpan/Thread/Target/ReadLatencyStdev",
	"/Results/TimeSpan/Thread/Target/AverageWriteLatencyMilliseconds",
	"/Results/TimeSpan/Thread/Target/WriteLatencyStdev",
	"/Results/TimeSpan/Thread/Target/AverageLatencyMilliseconds",
	"/Results/TimeSpan/Thread/Target/LatencyStdev",
	"/Results/TimeSpan/Thread/Target/Iops",
	"/Results/TimeSpan/Thread/Target/Iops/ReadIopsStdDev",
	"/Results/TimeSpan/Thread/Target/Iops/WriteIopsStdDev",
	"/Results/TimeSpan/Thread/Target/Iops/IopsStdDev",
	"/Results/TimeSpan/Thread/Target/Iops/Bucket",
};

static unsigned first_of(const struct xml_doc *x, const char *path)
{
	for (unsigned i = 0; i < x->n; i++)
		if (!strcmp(x->node[i].path, path))
			return i;
	fail_msg("%s is missing", path);
	return 0;
}

/* DISKSPD's elements and no others; comments follow them, and under DISKSPD's name there are none. */
static void check_no_others(const struct xml_doc *x)
{
	for (unsigned i = 0; i < x->n; i++) {
		bool known = !strncmp(x->node[i].path, "/Results/Profile/", 17);

		for (unsigned k = 0; !known && k < sizeof(order) / sizeof(*order); k++)
			known = !strcmp(x->node[i].path, order[k]);
		if (!known)
			fail_msg("%s is no element of DISKSPD's", x->node[i].path);
	}
}

static void test_comments(void **state)
{
	static const char *const parts[] = {
		"\n  <!-- fiord 1.0.0, in the form of DISKSPD 2.2 -->\n",
		"\n  <!-- time span 1: Too few samples: Read from 7-nines on (2402289)",
		"\n  <!-- time span 1: write-through on /data/io.dat: flush -->\n",
		"\n  <!-- note: -c1G: /data/io.dat is kept: it is large enough -->\n</Results>",
	};

	(void)state;
	for (unsigned as_diskspd = 0; as_diskspd < 2; as_diskspd++) {
		struct strbuf b = { 0 };
		struct hand h;

		make_sample(&h, DS_LAYOUT_22);
		h.r.spans->as_diskspd = as_diskspd;
		assert_int_equal(report_diskspd_xml(&h.r, &b), 0);
		for (unsigned i = 0; !as_diskspd && i < sizeof(parts) / sizeof(*parts); i++)
			assert_has(strstr(strbuf_str(&b), "  </TimeSpan>\n  <!--"), parts[i]);
		if (as_diskspd) {
			assert_has_not(strbuf_str(&b), "<!--");
			assert_has(strbuf_str(&b), "  </TimeSpan>\n</Results>");
		}
		strbuf_fini(&b);
		hand_fini(&h);
	}
}

static void test_elements(void **state)
{
	struct xml_doc *x;
	struct hand h;
	unsigned last = 0;

	(void)state;
	make_sample(&h, DS_LAYOUT_22);
	x = xml_of(&h.r);
	for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++) {
		unsigned at = first_of(x, order[i]);

		assert_true(at >= last);
		last = at;
	}
	check_no_others(x);
	assert_string_equal(xml_nth(x, "/Results/TimeSpan/Latency", 0)->attrs,
			    "ReadHistoBuckets=12;WriteHistoBuckets=11;TotalHistoBuckets=12;");
	assert_string_equal(xml_nth(x, "/Results/TimeSpan/Iops/Bucket", 0)->attrs,
			    "SampleMillisecond=1000;Read=80112;Write=26701;Total=106813;"
			    "ReadMinLatencyMilliseconds=0.075;ReadMaxLatencyMilliseconds=6.902;"
			    "ReadAvgLatencyMilliseconds=0.412;ReadLatencyStdDev=0.309;"
			    "WriteMinLatencyMilliseconds=0.101;WriteMaxLatencyMilliseconds=8.551;"
			    "WriteAvgLatencyMilliseconds=0.655;WriteLatencyStdDev=0.401;");
	assert_null(xml_nth(x, "/Results/TimeSpan/Latency/Bucket", 108));
	xml_free(x);
	hand_fini(&h);
}

/* ---- values that known scripts read ---- */

/* Finds the bucket of a percentile by its text, as VM Fleet does. */
static const char *percentile(const struct xml_doc *x, const char *which, const char *of)
{
	char path[200];
	const struct xml_node *n;

	for (unsigned k = 0; (n = xml_nth(x, "/Results/TimeSpan/Latency/Bucket/Percentile", k)); k++)
		if (!strcmp(n->text, which)) {
			snprintf(path, sizeof(path), "/Results/TimeSpan/Latency/Bucket/%s", of);
			return xml_nth(x, path, k)->text;
		}
	fail_msg("no percentile %s", which);
	return "";
}

static void vm_fleet(const struct xml_doc *x)
{
	static const char *const wanted[][4] = {
		{ "25", "0.231", "0.402", "0.262" },
		{ "50", "0.356", "0.577", "0.401" },
		{ "75", "0.519", "0.811", "0.589" },
		{ "90", "0.718", "1.102", "0.823" },
		{ "95", "0.872", "1.337", "1.003" },
		{ "99", "1.391", "2.044", "1.602" },
		{ "99.9", "3.118", "4.012", "3.377" },
		{ "99.99", "6.902", "8.551", "7.240" },
		{ "99.999", "12.377", "14.902", "13.011" },
		{ "99.9999", "16.240", "18.377", "17.905" },
		{ "99.99999", "17.031", "18.377", "18.377" },
		{ "99.999999", "17.031", "18.377", "18.377" },
		{ "99.9999999", "17.031", "18.377", "18.377" },
		{ "100", "17.031", "18.377", "18.377" },
	};

	assert_string_equal(xml_text(x, "/Results/System/ComputerName"), "bench01");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/TestTimeSeconds"), "30.00");
	assert_string_equal(xml_text(x, "/Results/System/Tool/Version"), "2.2.0");
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		assert_string_equal(percentile(x, wanted[i][0], "ReadMilliseconds"), wanted[i][1]);
		assert_string_equal(percentile(x, wanted[i][0], "WriteMilliseconds"), wanted[i][2]);
		assert_string_equal(percentile(x, wanted[i][0], "TotalMilliseconds"), wanted[i][3]);
	}
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/ReadCount") == 2402289);
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/WriteCount") == 800978);
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/ReadBytes") == 9839775744);
	assert_string_equal(xml_text(x, "/Results/Profile/TimeSpans/TimeSpan/Targets/Target/BlockSize"),
			    "4096");
	assert_string_equal(xml_text(x, "/Results/Profile/TimeSpans/TimeSpan/Targets/Target/WriteRatio"),
			    "25");
	assert_string_equal(xml_text(x, "/Results/Profile/TimeSpans/TimeSpan/Targets/Target/RequestCount"),
			    "32");
	assert_string_equal(xml_text(x, "/Results/Profile/TimeSpans/TimeSpan/Targets/Target/ThreadsPerFile"),
			    "2");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/CpuUtilization/Average/UsagePercent"), "31.38");
}

/* Averages and deviations by name, IOPS per thread and target, and the machine's processors. */
static void diskspd_batch(const struct xml_doc *x)
{
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/AverageReadMilliseconds"), "0.413");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/ReadLatencyStdev"), "0.310");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/AverageWriteMilliseconds"), "0.657");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/WriteLatencyStdev"), "0.404");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/AverageTotalMilliseconds"), "0.474");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Latency/LatencyStdev"), "0.362");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Iops/ReadIopsStdDev"), "977.920");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Iops/WriteIopsStdDev"), "329.390");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Iops/IopsStdDev"), "1299.900");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/ThreadCount"), "2");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/ProcCount"), "4");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Thread/Target/Path"), "/data/io.dat");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Thread/Target/FileSize"), "1073741824");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Thread/Target/AverageLatencyMilliseconds"),
			    "0.473");
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Thread/Target/LatencyStdev"), "0.362");
}

static void fukunagt(const struct xml_doc *x)
{
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/WriteBytes") == 3280805888);
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/WriteCount") == 800978);
	assert_true(strtod(xml_text(x, "/Results/TimeSpan/TestTimeSeconds"), NULL) == 30);
}

/* Returns cell n of the first line with this beginning, split at bars, as scripts do. */
static double cell(const char *text, const char *begin, unsigned n)
{
	char look[64];
	const char *line;

	snprintf(look, sizeof(look), "\n%s", begin);
	line = strstr(text, look);
	assert_non_null(line);
	for (line++; n--;) {
		line = strchr(line, '|');
		assert_non_null(line);
		line++;
	}
	return strtod(line, NULL);
}

static void test_scripts(void **state)
{
	struct xml_doc *x;
	struct hand h;
	char *text;

	(void)state;
	make_sample(&h, DS_LAYOUT_22);
	x = xml_of(&h.r);
	vm_fleet(x);
	diskspd_batch(x);
	fukunagt(x);
	xml_free(x);
	text = text_of(&h.r);
	assert_true(cell(text, "total:", 2) == 417.09);
	assert_true(cell(text, "total:", 3) == 106775.57);
	assert_true(cell(text, "avg.", 1) == 31.38);
	free(text);
	hand_fini(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),      cmocka_unit_test(test_layout_23),
		cmocka_unit_test(test_old_layouts), cmocka_unit_test(test_port_disks),
		cmocka_unit_test(test_elements),    cmocka_unit_test(test_comments),
		cmocka_unit_test(test_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
