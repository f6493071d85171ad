/* DISKSPD's reports in cases that its sample lacks: other columns, no samples, runs that ended early. */
#include "sample_spans.h"
#include "strbuf.h"

#define GIB (1ull << 30)

static const struct span_cpu two_cpu[] = { { 0, 0, 0, 0, 0, 0, { 50, 20, 30, 50 } },
					   { 0, 0, 0, 1, 0, 1, { 25, 10, 15, 75 } } };

/* One thread on one target, with reads and writes. */
struct small {
	struct span_row row[2];
	struct span_thread thread[2];
	struct result_span s;
};

static void small(struct small *m, unsigned number, uint64_t reads, uint64_t writes)
{
	*m = (struct small){ .s = { .number = number,
				    .seconds = 2,
				    .seconds_cfg = 2,
				    .cpus = two_cpu,
				    .ncpus = 2,
				    .cpu_mean = { 37.5, 15, 22.5, 62.5 },
				    .nthreads = 1 } };
	m->row[0] = (struct span_row){ .path = "/data/a", .size = GIB };
	m->row[0].flow[SPAN_READ] = (struct span_flow){ .bytes = reads * 65536, .ios = reads };
	m->row[0].flow[SPAN_WRITE] = (struct span_flow){ .bytes = writes * 65536, .ios = writes };
	m->thread[0] = (struct span_thread){ .id = 0, .rows = m->row, .nrows = 1 };
	m->s.threads = m->thread;
}

static void begin_spans(struct hand *h, const char *args)
{
	hand_begin(h, args);
	result_set_spans(&h->r, &h->head);
}

/* Without -L and -D: narrow tables and no chart. */
static void test_plain(void **state)
{
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	begin_spans(&h, "-d2 /data/a");
	small(&m, 1, 320, 0);
	result_add_span(&h.r, &m.s);
	result_finish(&h.r);
	golden(&h.r, "plain");
	text = text_of(&h.r);
	assert_has(text,
		   "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file\n"
		   "------------------------------------------------------------------------------\n"
		   "     0 |        20971520 |          320 |      10.00 |     160.00 | /data/a (1GiB)\n");
	assert_has(text, "total:          20971520 |          320 |      10.00 |     160.00\n");
	assert_has_not(text, "latency distribution");
	free(text);
	hand_fini(&h);
}

/* With -L and -D, but without any I/O. */
static void test_no_samples(void **state)
{
	static const uint64_t ns[] = { 100000, 200000 }, count[] = { 15, 5 };
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	begin_spans(&h, "-d2 -L -D /data/a");
	small(&m, 1, 20, 0);
	m.s.flow[SPAN_READ].lat = hand_moments(20, 125, 43.3);
	m.s.flow[SPAN_READ].lat.min = 100000;
	m.s.flow[SPAN_READ].lat.max = 200000;
	m.s.flow[SPAN_READ].lat.bins = (struct result_bins){ ns, count, 2 };
	m.s.flow[SPAN_TOTAL].lat = m.s.flow[SPAN_READ].lat;
	m.row[0].flow[SPAN_READ].lat = m.row[0].flow[SPAN_TOTAL].lat = m.s.flow[SPAN_READ].lat;
	result_add_span(&h.r, &m.s);
	small(&m, 1, 0, 0);
	result_add_span(&h.r, &m.s);
	result_finish(&h.r);
	golden(&h.r, "no-samples");
	text = text_of(&h.r);
	assert_has(
		text,
		"total:                 0 |            0 |       0.00 |       0.00 |    0.000 |       0.00 |"
		"       N/A\n");
	assert_has(text, "    min |      0.100 |        N/A |      0.100\n");
	assert_has(text, "   75th |      0.100 |        N/A |      0.100\n"
			 "   90th |      0.200 |        N/A |      0.200\n");
	assert_has(text, "    max |        N/A |        N/A |      0.000\n\n\nTotals:");
	assert_has(text,
		   "\nToo few samples: Read from 99th on (20), Total from 99th on (20); a percentile with "
		   "k nines needs 10^k samples.\n");
	free(text);
	hand_fini(&h);
}

/* The distribution of the documentation, and one that was cut off. */
static void test_distributions(void **state)
{
	static const unsigned thread[] = { 0, 1 }, others[] = { 0, 1, 2, 5, 7, 8 };
	static const uint64_t a = 107374182, b = 214748364, c = 429496729;
	struct span_range range[] = { { 90, 0, a }, { 0, a, b }, { 5, b, c }, { 5, c, GIB } };
	struct span_range cut[] = { { 94.7, 0, 4096 }, { 5.3, 4096, GIB } };
	struct span_dist dist[] = { { "/data/io.dat", thread, 2, range, 4, false },
				    { "/data/cut", others, 6, cut, 2, true } };
	struct xml_doc *x;
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	begin_spans(&h, "-d2 -r -rdpct90/10:0/10:5/20 /data/io.dat");
	small(&m, 1, 320, 0);
	m.s.dists = dist;
	m.s.ndists = 2;
	m.row[0].dist = 1;
	result_add_span(&h.r, &m.s);
	range[0].io = 1; /* the report has its own copy */
	result_finish(&h.r);
	golden(&h.r, "distributions");
	text = text_of(&h.r);
	assert_has(text, "%\n\nEffective IO Distributions\n--------------------------\n"
			 "target: /data/io.dat [thread: 0 1]\n"
			 "    90% of IO => [     0    - 102.40MiB)\n"
			 "     5% of IO => [204.80MiB - 409.60MiB)\n"
			 "     5% of IO => [409.60MiB -      1GiB)\n"
			 "target: /data/cut [thread: 0 - 2 5 7 8]\n"
			 "    94.7% of IO => [     0    -      4KiB)\n");
	free(text);
	x = xml_of(&h.r);
	for (unsigned i = 0; i < 4; i++)
		assert_string_equal(
			xml_nth(x, "/Results/TimeSpan/Thread/Target/Distribution/Absolute/Range", i)->attrs,
			i == 0   ? "IO=90;"
			: i == 1 ? "IO=0;"
				 : "IO=5;");
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/Distribution/Absolute/Range") == GIB);
	xml_free(x);
	hand_fini(&h);
}

/* Rows of several targets per thread, a chart for each, and the totals of two spans. */
static void test_targets(void **state)
{
	static const unsigned us[HAND_BINS] = { 10, 20,  30,  40,  50,  60,  70, 80,
						90, 100, 110, 120, 130, 140, 150 };
	struct span_target target[2] = { { .path = "/data/a" }, { .path = "/data/b" } };
	struct hand_bins bins;
	struct xml_doc *x;
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	begin_spans(&h, "-d2 -F1 -O4 -L -w50 /data/a /data/b");
	small(&m, 1, 160, 480);
	m.s.requests = 4;
	m.row[1] = m.row[0];
	m.row[1].path = "/data/b";
	m.row[1].size = 1500;
	m.thread[0].nrows = 2;
	target[1].lat[SPAN_WRITE] = target[1].lat[SPAN_TOTAL] = hand_lat(&bins, 480, us, 45, 12);
	m.s.targets = target;
	m.s.ntargets = 2;
	result_add_span(&h.r, &m.s);
	m.s.error = "it was enough";
	m.s.seconds = 1;
	m.s.seconds_cfg = 60;
	result_add_span(&h.r, &m.s);
	result_finish(&h.r);
	golden(&h.r, "targets");
	text = text_of(&h.r);
	assert_has(text, "thread count:\t\t1\nrequest count:\t\t4\n");
	assert_has(text, "/data/a (1GiB)\n     0 |");
	assert_has(text, "/data/b (1.46KiB)\n");
	assert_has(text, "\nLatency distribution: /data/a\n");
	assert_has(text, "\nLatency distribution: /data/b\n");
	assert_has(text,
		   "\nThe test was interrupted before the measurements ended. (it was enough; asked for "
		   "60.00s)\n\nactual test time:\t1.00s\n");
	assert_has(text, "\nTotals:\n******");
	assert_has(text, "write  |       125829120 |         1920 |      40.00 |     640.00\n"
			 "read   |        41943040 |          640 |      13.33 |     213.33\n");
	assert_has(text, "\ntotal test time:\t3.00s\n");
	free(text);
	x = xml_of(&h.r);
	assert_true(xml_sum(x, "/Results/TimeSpan/Thread/Target/WriteCount") == 1920);
	assert_null(xml_nth(x, "/Results/TimeSpan/Error", 0));
	assert_string_equal(xml_nth(x, "/Results/TimeSpan/RequestCount", 1)->text, "4");
	xml_free(x);
	hand_fini(&h);
}

/* Runs that a signal ended: the report has the figures and the time up to then. It has only one sentence if
   nothing was measured, or if the run failed and the program is called diskspd. */
static void test_interrupted(void **state)
{
	static const struct {
		const char *name;
		bool as_diskspd, failed;
		double seconds;
		const char *sentence; /* "": no sentence */
	} ends[] = {
		{ "interrupted", false, false, 0,
		  "\nThe test was interrupted before the measurements began. No results are displayed. "
		  "(terminated by SIGINT)\n" },
		{ "interrupted-alone", true, false, 0,
		  "\nThe test was interrupted before the measurements began. No results are displayed.\n" },
		{ "interrupted-later", false, false, 0.5,
		  "\nThe test was interrupted before the measurements ended. (terminated by SIGINT; asked "
		  "for "
		  "2.00s)\n" },
		{ "interrupted-later-alone", true, false, 0.5, "" },
		{ "failed-alone", true, true, 0.5,
		  "\nThe test was interrupted before the measurements ended. No results are displayed.\n" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		bool shown = ends[i].seconds > 0 && !ends[i].failed;
		struct xml_doc *x;
		struct small m;
		struct hand h;
		char *text;

		hand_begin(&h, "-d2 -L /data/a");
		h.head.as_diskspd = ends[i].as_diskspd;
		result_set_spans(&h.r, &h.head);
		small(&m, 1, 320, 0);
		m.s.seconds = ends[i].seconds;
		m.s.error = ends[i].failed ? "read at offset 0: I/O error" : "terminated by SIGINT";
		m.s.interrupted = !ends[i].failed;
		result_add_span(&h.r, &m.s);
		result_finish(&h.r);
		golden(&h.r, ends[i].name);
		text = text_of(&h.r);
		assert_has(text, ends[i].sentence);
		assert_true(!*ends[i].sentence == !strstr(text, "The test was interrupted"));
		assert_true(shown == !!strstr(text, "\nactual test time:\t0.50s\n"));
		assert_true(shown == !!strstr(text, "|      40.00 |     640.00 |"));
		free(text);
		x = xml_of(&h.r);
		assert_true(shown == !xml_nth(x, "/Results/TimeSpan/Error", 0));
		assert_true(shown == !!xml_nth(x, "/Results/TimeSpan/Thread", 0));
		if (!shown)
			assert_string_equal(x->node[x->n - 2].path, "/Results/TimeSpan");
		else
			assert_string_equal(xml_text(x, "/Results/TimeSpan/TestTimeSeconds"), "0.50");
		xml_free(x);
		hand_fini(&h);
	}
}

/* -vs -e -u, on a machine with two of everything, with groups and an odd power scheme. */
static void test_everything(void **state)
{
	static const struct span_mask node0[] = { { 0, 0xff } }, node1[] = { { 0, 0xff00 }, { 1, 0x8005 } };
	static const struct span_node node[] = { { 0, { node0, 1 } }, { 1, { node1, 2 } } };
	static const struct span_group group[] = { { 0, 64, 64, UINT64_MAX }, { 1, 64, 2, 0x8005 } };
	static const struct span_event event[] = { { "DiskIO", "Read", "diskstats", 320 },
						   { "DiskIO", "Write", "diskstats", 7 },
						   { "MemoryPageFaults", "HardPageFault", "getrusage", 2 } };
	static const struct span_cache cache[] = { { 1, 8, 64, 32768, "Data", { node0, 1 } },
						   { 2, 0, 64, 1536 << 10, "Unified", { node1, 2 } } };
	struct span_cpu cpu[] = { { 0, 0, 0, 0, 0, 0, { 100, 60.5, 39.5, 0 } },
				  { 1, 1, 1, 12, 1, 2, { 0, 0, 0, 100 } } };
	struct result_job job = { .name = "target1" };
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	job.sum.self = (struct summary_self){ true, 1234.5, 678, 99.94, 12.25, 3 };
	for (unsigned layout_23 = 0; layout_23 < 2; layout_23++) {
		hand_begin(&h, "-d2 -vs -v -u8 -:3 -eDISK_IO -eMEMORY_HARD_FAULTS /data/a");
		h.head.layout = layout_23 ? DS_LAYOUT_23 : DS_LAYOUT_22;
		h.head.system.ngroups = h.head.system.nnodes = h.head.system.nsockets = 2;
		h.head.system.cpus = 66;
		h.head.system.groups = group;
		h.head.system.nodes = h.head.system.sockets = node;
		h.head.system.heterogeneous = true;
		h.head.system.power_scheme = "\"fast\" & <loud>";
		h.head.system.power_id = "8c5e";
		h.head.system.caches = cache;
		h.head.system.ncaches = 2;
		result_set_spans(&h.r, &h.head);
		small(&m, 1, 320, 0);
		m.s.cpus = cpu;
		m.s.events = event;
		m.s.nevents = 3;
		m.s.affinity = node[1].cpus;
		m.s.affinity_warning = "threads are on cores of different kinds";
		m.thread[0].submits = 50;
		m.thread[0].waits = (struct span_waits){
			310, 5, 2, 100, { 80, 10, 4, 3, 0, 0, 0, 3 }, { 7, 300, 2, 0, 0, 0, 0, 1 }
		};
		result_add_span(&h.r, &m.s);
		result_add_job(&h.r, &job);
		result_finish(&h.r);
		golden(&h.r, layout_23 ? "everything-2.3" : "everything");
		text = text_of(&h.r);
		assert_has(text,
			   "Socket | Node | Group | Core | Class | CPU |  Usage |  User  | Kernel |  Idle\n");
		assert_has(text, "     1 |    1 |     1 |   12 |    1P |    2|   0.00%|");
		assert_has(text, "\navg.");
		/* The forms are those of DISKSPD's own tests. Without -L and -D 2.3 has no lookasides. */
		if (!layout_23)
			assert_has(
				text,
				"     0 |             310 |             5  -      2 |       100 | 80 10 4 3 "
				"0 0 0 3\n");
		else
			assert_has(
				text,
				"Wait Statistics - Completion Wait\n"
				"thread |         wait | throttle wait  -  sleep | 0 - 7+ complete per wait\n"
				"--------------------------------------------------------------------------\n"
				"     0 |          310 |             5  -      2 | 7 300 2 0 0 0 0 "
				"1\n\nfiord ");
		assert_has(text, "\n\n\n\nETW:\n----\n\n\tDisk I/O\n\t\tRead: 320\n\t\tWrite: 7\n\tMemory "
				 "Page Faults\n"
				 "\t\tHard page fault: 2\n");
		assert_has(text, "\nDisk I/O: counted by diskstats, not by ETW\n");
		assert_true(layout_23 ==
			    !!strstr(text, "thread |  Submits/s \n--------------------\n     0 |       "
					   "25.00\n--------------------\ntotal: |       25.00\n"));
		assert_true(layout_23 == !!strstr(text, "effective affinity (cpu): 0/8-15, 1/0,2,15\n"));
		free(text);
		hand_fini(&h);
	}
}

/* Paths with characters that have a meaning in XML, or that XML cannot hold. */
static void test_hostile(void **state)
{
	static const char path[] = "/d/a<b>&\"'\t]]>é\x01\xff-->.dat",
			  kept[] = "/d/a<b>&\"'\t]]>é\xef\xbf\xbd\xef\xbf\xbd-->.dat";
	static const struct span_write_through through[] = { { path, "fua" } };
	struct strbuf b = { 0 };
	struct xml_doc *x;
	struct small m;
	struct hand h;

	(void)state;
	hand_begin(&h, "-d2 x");
	h.head.system.computer = "<&>";
	result_set_spans(&h.r, &h.head);
	small(&m, 1, 320, 0);
	m.row[0].path = path;
	m.s.write_throughs = through;
	m.s.nwrite_throughs = 1;
	m.s.error = "</Error>";
	result_add_span(&h.r, &m.s);
	result_note(&h.r, "%s", path);
	result_finish(&h.r);
	x = xml_of(&h.r);
	assert_string_equal(xml_text(x, "/Results/TimeSpan/Thread/Target/Path"), kept);
	assert_string_equal(xml_text(x, "/Results/System/ComputerName"), "<&>");
	xml_free(x);
	assert_int_equal(report_diskspd_xml(&h.r, &b), 0);
	assert_has(strbuf_str(&b), "<!-- note: /d/a<b>&\"'?]]>é?\?- ->.dat -->\n");
	strbuf_fini(&b);
	hand_fini(&h);
}

/* A result without spans, and one without a description of the machine. */
static void test_little(void **state)
{
	struct strbuf b = { 0 };
	struct small m;
	struct hand h;
	char *text;

	(void)state;
	hand_begin(&h, "-d2 -L /data/a");
	assert_int_equal(report_diskspd(&h.r, &b), 0);
	assert_int_equal(report_diskspd_xml(&h.r, &b), 0);
	assert_int_equal(b.len, 0);
	h.head.system = (struct span_system){ .ngroups = 1, .ncores = 1, .nsockets = 1, .nnodes = 1 };
	result_set_spans(&h.r, &h.head);
	small(&m, 1, 0, 0);
	m.s.ncpus = 0;
	m.s.nthreads = 0;
	result_add_span(&h.r, &m.s);
	result_finish(&h.r);
	xml_free(xml_of(&h.r));
	text = text_of(&h.r);
	assert_has(text, "\tactive power scheme:\tunknown\n");
	assert_has_not(text, "CPU |");
	free(text);
	hand_fini(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),         cmocka_unit_test(test_no_samples),
		cmocka_unit_test(test_distributions), cmocka_unit_test(test_targets),
		cmocka_unit_test(test_interrupted),   cmocka_unit_test(test_everything),
		cmocka_unit_test(test_hostile),       cmocka_unit_test(test_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
