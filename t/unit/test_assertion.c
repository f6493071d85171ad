/* Are the assertions of --assert parsed, refused and judged as fiord(1) says? The results are written by
 * hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "exit_code.h"
#include "limit.h"
#include "rng.h"

static void assertions_are_parsed(void **state)
{
	static const struct {
		const char *text, *figure, *part;
		unsigned dir;
		bool mixed;
		enum lat_kind kind;
		double percentile;
		enum limit_op op;
		double limit;
	} row[] = {
		{ "read.clat.p99 < 1ms", "percentile", NULL, DIR_READ, false, LAT_CLAT, 99, LIMIT_LT, 1e6 },
		{ "p99.95<=500us", "percentile", NULL, DIR_COUNT, false, LAT_KINDS, 99.95, LIMIT_LE, 5e5 },
		{ "JOB.write.iops >= 3000", "iops", "JOB", DIR_WRITE, false, LAT_KINDS, 0, LIMIT_GE, 3000 },
		{ " errors == 0 ", "errors", NULL, DIR_COUNT, false, LAT_KINDS, 0, LIMIT_EQ, 0 },
		{ "write.errors != 0", "errors", NULL, DIR_WRITE, false, LAT_KINDS, 0, LIMIT_NE, 0 },
		{ "sync.errors == 0", "errors", NULL, DIR_SYNC, false, LAT_KINDS, 0, LIMIT_EQ, 0 },
		{ "sync.lat.mean < 1s", "mean", NULL, DIR_SYNC, false, LAT_LAT, 0, LIMIT_LT, 1e9 },
		{ "my.job.read.resp.max < 1.5 s", "max", "my.job", DIR_READ, false, LAT_RESP, 0, LIMIT_LT,
		  1.5e9 },
		{ "a>b.read.lat_ns.stddev > 0ns", "stddev", "a>b", DIR_READ, false, LAT_LAT, 0, LIMIT_GT, 0 },
		{ "read.bw >= 100 MiB/s", "bw", NULL, DIR_READ, false, LAT_KINDS, 0, LIMIT_GE,
		  100 * 1048576. },
		{ "mixed.bw_min>1k", "bw_min", NULL, DIR_READ, true, LAT_KINDS, 0, LIMIT_GT, 1024 },
		{ "trim.io_bytes == 1GiB", "io_bytes", NULL, DIR_TRIM, false, LAT_KINDS, 0, LIMIT_EQ,
		  0x1p30 },
		{ "usr_cpu <= 50 %", "usr_cpu", NULL, DIR_COUNT, false, LAT_KINDS, 0, LIMIT_LE, 50 },
		{ "a.usr_cpu <= 12.5", "usr_cpu", "a", DIR_COUNT, false, LAT_KINDS, 0, LIMIT_LE, 12.5 },
		{ "verify.damaged == 0", "verify.damaged", NULL, DIR_COUNT, false, LAT_KINDS, 0, LIMIT_EQ,
		  0 },
		{ "j.steadystate.data.bw_mean > 1M", "steadystate.data.bw_mean", "j", DIR_COUNT, false,
		  LAT_KINDS, 0, LIMIT_GT, 1048576 },
		{ "steadystate.slope > -2.5", "steadystate.slope", NULL, DIR_COUNT, false, LAT_KINDS, 0,
		  LIMIT_GT, -2.5 },
		{ "latency_ms.>=2000 <= 1%", "latency_ms.>=2000", NULL, DIR_COUNT, false, LAT_KINDS, 0,
		  LIMIT_LE, 1 },
		{ "read.queue.max < 20k", "queue.max", NULL, DIR_READ, false, LAT_KINDS, 0, LIMIT_LT, 20000 },
		{ "disk_util.util < 90%", "util", NULL, DIR_COUNT, false, LAT_KINDS, 0, LIMIT_LT, 90 },
		{ "disk_util.dm-0.aggr_util < 90", "aggr_util", "dm-0", DIR_COUNT, false, LAT_KINDS, 0,
		  LIMIT_LT, 90 },
		{ "fiord.self.user_us < 2s", "fiord.self.user_us", NULL, DIR_COUNT, false, LAT_KINDS, 0,
		  LIMIT_LT, 2e9 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assertions list = { 0 };
		struct diag d = { 0 };
		const struct assertion *a;

		if (assertion_parse(&list, row[i].text, &d))
			fail_msg("%s: %s", row[i].text, diag_text(&d));
		a = &list.v[0];
		assert_string_equal(a->figure->name, row[i].figure);
		assert_string_equal(a->part.name ? a->part.name : "-", row[i].part ? row[i].part : "-");
		assert_int_equal(a->dir, row[i].dir);
		assert_int_equal(a->mixed, row[i].mixed);
		assert_int_equal(a->kind, row[i].kind);
		assert_true(fabs(a->percentile - row[i].percentile) < 1e-9);
		assert_int_equal(a->op, row[i].op);
		assert_true(fabs(a->limit - row[i].limit) <= 1e-9 * fabs(row[i].limit));
		assertions_fini(&list);
	}
}

static void entries_of_lists_are_parsed(void **state)
{
	/* index: -1: not by index. */
	static const struct {
		const char *text, *part, *figure, *name;
		int list, index;
		unsigned dir;
		enum lat_kind kind;
	} row[] = {
		{ "rate_steps.steps[0].read.iops>=900", "-", "iops", "-", LIST_STEPS, 0, DIR_READ,
		  LAT_KINDS },
		{ "j.rate_steps[12].clat.p99 < 1ms", "j", "p99", "-", LIST_STEPS, 12, DIR_COUNT, LAT_CLAT },
		{ "j.fiord.rate_steps.steps.write.resp_ns.max < 1ms", "j", "max", "-", LIST_STEPS, -1,
		  DIR_WRITE, LAT_RESP },
		{ "rate_steps[1].start_ns == 1s", "-", "start_ns", "-", LIST_STEPS, 1, DIR_COUNT, LAT_KINDS },
		{ "my.job.files[3].trim.total_ios > 1", "my.job", "total_ios", "-", LIST_FILES, 3, DIR_TRIM,
		  LAT_KINDS },
		{ "files[\"a].b/c<1\"].read.p99.9 < 1ms", "-", "percentile", "a].b/c<1", LIST_FILES, -1,
		  DIR_READ, LAT_KINDS },
		{ "files['7'].sync.errors == 0", "-", "errors", "7", LIST_FILES, -1, DIR_SYNC, LAT_KINDS },
		{ "files[d/data.0].lat.mean < 1s", "-", "mean", "d/data.0", LIST_FILES, -1, DIR_COUNT,
		  LAT_LAT },
		{ "j.read.prios[1].clat.p99 < 1ms", "j", "percentile", "-", LIST_PRIOS, 1, DIR_READ,
		  LAT_CLAT },
		{ "latency_target[2].depth == 8", "-", "depth", "-", LIST_DEPTHS, 2, DIR_COUNT, LAT_KINDS },
		{ "j.steadystate.data.iops[4] > 1k", "j", "steadystate.data.iops", "-", LIST_SAMPLES, 4,
		  DIR_COUNT, LAT_KINDS },
		{ "cpu_idleness.cpu-3 > 5%", "-", "cpu_idleness.cpu", "3", LIST_CPUS, -1, DIR_COUNT,
		  LAT_KINDS },
		{ "cpu_idleness.cpu > 5%", "-", "cpu_idleness.cpu", "-", LIST_CPUS, -1, DIR_COUNT,
		  LAT_KINDS },
		{ "jobs[\"a.files[0]\"].files[1].errors == 0", "a.files[0]", "errors", "-", LIST_FILES, 1,
		  DIR_COUNT, LAT_KINDS },
		/* A word like the key of a list can be a part of the job's name. */
		{ "my.files.read.iops > 1", "my.files", "iops", "-", -1, -1, DIR_READ, LAT_KINDS },
		{ "my[0].read.iops > 1", "my[0]", "iops", "-", -1, -1, DIR_READ, LAT_KINDS },
		{ "fiord.series.groups[1].read.lat_max[7] < 1s", "-", "lat_max", "-", LIST_INTERVALS, 7,
		  DIR_READ, LAT_KINDS },
		{ "fiord.series.jobs[my.job].ios > 0", "my.job", "ios", "-", LIST_INTERVALS, -1, DIR_COUNT,
		  LAT_KINDS },
		{ "fiord.hosts[n1.here].waves[2].took_ns < 1s", "n1.here", "took_ns", "-", LIST_WAVES, 2,
		  DIR_COUNT, LAT_KINDS },
		{ "fiord.hosts.straggler.took_ns < 1s", "-", "straggler.took_ns", "-", -1, -1, DIR_COUNT,
		  LAT_KINDS },
		{ "j.verify.damage[0].blocks < 5", "j", "blocks", "-", LIST_DAMAGE, 0, DIR_COUNT, LAT_KINDS },
		{ "lost_io.age_ns < 5s", "-", "age_ns", "-", LIST_LOST, -1, DIR_COUNT, LAT_KINDS },
		{ "disk_util[vda].util < 90%", "vda", "util", "-", -1, -1, DIR_COUNT, LAT_KINDS },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assertions list = { 0 };
		struct diag d = { 0 };
		const struct assertion *a;

		if (assertion_parse(&list, row[i].text, &d))
			fail_msg("%s: %s", row[i].text, diag_text(&d));
		a = &list.v[0];
		assert_string_equal(a->part.name ? a->part.name : "-", row[i].part);
		assert_string_equal(a->figure->name, row[i].figure);
		assert_string_equal(a->entry.name ? a->entry.name : "-", row[i].name);
		assert_int_equal(a->list ? (int)(a->list - figure_lists) : -1, row[i].list);
		assert_int_equal(a->entry.indexed ? (int)a->entry.index : -1, row[i].index);
		assert_int_equal(a->dir, row[i].dir);
		assert_int_equal(a->kind, row[i].kind);
		assertions_fini(&list);
	}
}

static void bad_assertions_are_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} row[] = {
		{ "", "has the form" },
		{ "read.iops", "has the form" },
		{ "read.iops = 5", "has the form" },
		{ "read.iops ! 5", "has the form" },
		{ "< 5", "has the form" },
		{ "=", "has the form" },
		{ "read.iop < 5", "did you mean iops?" },
		{ "read.clat.mena < 5ms", "did you mean mean?" },
		{ "verify.damagd == 0", "did you mean verify.damaged?" },
		{ "jobs[0].latenes_ns.p99 < 1ms",
		  "'latenes_ns' is not a part of a job; did you mean lateness_ns.p99?" },
		{ "read.clat.p100 < 1ms", "is not a figure" },
		{ "read.clat.p0 < 1ms", "is not a figure" },
		{ "read.clat.p < 1ms", "is not a figure" },
		{ "something < 1ms", "figures are iops, bw" },
		{ "read.latency < 1ms", "write one behind the kind of latency, such as lat.mean" },
		{ "read.clat < 1ms", "such as clat.mean, clat.p99 or clat.max" },
		{ "read.clat.p99 < 1ms and errors == 0", "an assertion is one comparison" },
		{ "disk_util.sda.utl < 1", "did you mean util?" },
		{ "read.clat.p99 < 1", "a time with its unit" },
		{ "read.clat.p99 < 1 parsec", "a time with its unit" },
		{ "read.clat.p99 < 1.5.5ms", "a time with its unit" },
		{ "read.clat.p99 < -1ms", "is not a limit" },
		{ "read.clat.p99 <", "is not a limit" },
		{ "read.iops < 5ms", "I/Os per second" },
		{ "read.iops > nan", "is not a limit" },
		{ "read.bw < 5%", "bytes per second" },
		{ "usr_cpu < 5k", "a percentage" },
		{ "errors == 0x", "a number" },
		{ "sync.iops > 5", "sync has no figure 'iops'" },
		{ "sync.clat.p99 < 1ms", "the latency of sync is sync.lat" },
		{ "rate_steps[0].read.iop > 1", "is not a figure of rate_steps.steps; did you mean iops?" },
		{ "rate_steps[0].raed.iops > 1",
		  "'raed' is not a direction or a kind of latency; did you mean read?" },
		{ "rate_steps[0].something > 1", "these are start_ns, length_ns" },
		{ "rate_steps[0].slat.max < 1s", "has no slat; it has clat and resp" },
		{ "rate_steps[a].iops > 1", "have no names; write an index from [0] on" },
		{ "rate_steps[].iops > 1", "'[].iops' does not select an entry" },
		{ "rate_steps[1.iops > 1", "does not select an entry" },
		{ "files[\"a].ios > 1", "does not select an entry" },
		{ "files[99999999999999999999999] > 1", "'' is not a figure of files" },
		{ "files[0].sync.clat.max < 1s", "the latency of sync is sync.lat" },
		{ "jobs[0].rate_stps[0].iops > 1", "did you mean rate_steps?" },
		{ "jobs[0] > 1", "is not a figure" },
		{ "jobs[0.iops > 1", "does not select an entry" },
		{ "disk_util[0].vda.util < 1", "'vda' is not a part of disk_util" },
		{ "cpu_idleness.cpu-x > 1", "'x' is not the number of a CPU" },
		{ "steadystate.data.iops[x] > 1", "have no names" },
		{ "fiord.series.groups.mixed.ios > 1", "not mixed" },
		{ "fiord.series.groups.lat_mux < 1s", "did you mean lat_max?" },
		{ "fiord.series.groups.foo.ios > 1", "'foo' is not a part of fiord.series.groups" },
		{ "fiord.series.groups[0] > 1", "these are ios, bytes" },
		{ "fiord.hosts[0].wave[0].took_ns < 1s", "did you mean waves?" },
		{ "fiord.hosts.read.done_ns < 1s", "'read' is not a part of fiord.hosts" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assertions list = { 0 };
		struct diag d = { 0 };

		assert_int_equal(assertion_parse(&list, row[i].text, &d), -EINVAL);
		if (!strstr(diag_text(&d), row[i].part))
			fail_msg("%s: '%s' does not contain '%s'", row[i].text, diag_text(&d), row[i].part);
		assert_int_equal(list.n, 0);
		assertions_fini(&list);
		diag_fini(&d);
	}
}

/* ---- a job that reads and syncs, and one that writes with a rate but measured nothing ---- */

static struct assertion_entry reader = {
	.name = "reader",
	.dirs = 1 << DIR_READ | 1 << DIR_SYNC,
	.kinds = { 1 << LAT_CLAT | 1 << LAT_LAT, 0, 0, 1 << LAT_CLAT },
	.percentiles_of = { 1 << LAT_CLAT, 0, 0, 1 << LAT_CLAT },
	.npercentiles = 2,
	.percentiles = { 50, 99.9 },
	.has = 1 << NEEDS_VERIFY,
	.files = (const char *[]){ "data.0", "data.1" },
	.nfiles = 2,
};
static struct assertion_entry writer = {
	.name = "writer",
	.dirs = 1 << DIR_WRITE,
	.rated = 1 << DIR_WRITE,
	.kinds = { 0, 1 << LAT_LAT | 1 << LAT_RESP },
	.percentiles_of = { 0, 1 << LAT_LAT | 1 << LAT_RESP },
	.npercentiles = 1,
	.percentiles = { 99 },
	.steps = 2,
	.step_dirs = 1 << DIR_WRITE,
	.prios = 2,
	.prio_kind = LAT_LAT,
};

static void impossible_figures_are_refused(void **state)
{
	static const struct {
		const char *text, *part; /* part: NULL: it is possible */
	} row[] = {
		{ "reader.read.p50 < 1ms", NULL },
		{ "read.p99.9 < 1ms", NULL },
		{ "p99 < 1ms", NULL },
		{ "write.resp.mean < 1ms", NULL },
		{ "write.unissued == 0", NULL },
		{ "sync.lat.p50 < 1s", NULL },
		{ "errors == 0", NULL },
		{ "readr.errors == 0", "did you mean 'reader'?" },
		{ "raed.iops > 0", "did you mean 'read'?" },
		{ "read.clta.p50 < 1s", "'clta' is not a kind of latency; did you mean 'clat'?" },
		{ "read.latency.p50 < 1s", "'latency' is not a kind of latency; did you mean 'lat'?" },
		{ "reader.read.response.p50 < 1s", "did you mean 'resp'?" },
		{ "read.clat.p50 < 2ms and read.iops > 3", "an assertion is one comparison" },
		{ "read.clat.p50 < 2ms, read.iops > 3", "an assertion is one comparison" },
		{ "1ms < read.clat.p50 < 2ms", "an assertion is one comparison" },
		{ "a<b.read.iops > 3", "no job is called 'a<b'" },
		{ "nobody.here.iops > 0", "no job is called 'nobody.here'" },
		{ "member.read.iops > 0", "is reported together with 'reader'" },
		{ "quiet.read.iops > 0", "is not reported (stats=0)" },
		{ "reader.write.iops > 0", "job 'reader' does not write" },
		{ "trim.iops > 0", "no job can have this figure; job 'reader' does not trim" },
		{ "mixed.iops > 0", "unified_rw_reporting" },
		{ "read.resp.mean < 1ms", "has no rate" },
		{ "reader.read.unissued == 0", "has no rate in this direction" },
		{ "write.queue.max < 5", "rate_open" },
		{ "read.p99 < 1ms", "percentile_list" },
		{ "read.lat.p50 < 1ms", "lat_percentiles=1" },
		{ "read.slat.mean < 1ms", "does not measure slat" },
		{ "writer.clat.mean < 1ms", "does not measure clat" },
		{ "writer.verify.damaged == 0", "does not verify" },
		{ "steadystate.attained == 1", "has no steadystate" },
		{ "disk_util.util < 50", "disk_util=0" },
		{ "cpu_idleness.system > 5", "--idle-prof" },
		{ "rate_steps[1].write.iops > 1", NULL },
		{ "rate_steps.p99 < 1s", NULL },
		{ "files[data.1].read.p50 < 1s", NULL },
		{ "files.sync.errors == 0", NULL },
		{ "write.prios[1].p99 < 1s", NULL },
		{ "rate_steps[2].iops > 1",
		  "job 'writer' has fewer entries in this list; the last one is rate_steps.steps[1]" },
		{ "rate_steps.trim.iops > 1", "job 'writer' has no rate in this direction" },
		{ "reader.rate_steps.iops > 1", "job 'reader' has no rate_steps" },
		{ "reader.rate_step[0].iops > 1", "did you mean 'rate_steps'?" },
		{ "reader.read.rate_steps[0].iops > 1", "a direction stands behind the list" },
		{ "files[data.2].ios > 1", "job 'reader' has no such file; did you mean 'data.0'?" },
		{ "files[2].ios > 1", "the last one is files[1]" },
		{ "writer.files[0].ios > 1", "per_file_stats" },
		{ "files[0].sync.io_bytes > 1", "counts only total_ios, errors and lat" },
		{ "reader.prios.mean < 1s", "gives all I/Os one priority" },
		{ "prios.clat.mean < 1s", "has only the lat of its priorities" },
		{ "latency_target.steps[0].ns < 1s", "has no latency_target" },
		{ "steadystate.data.bw[0] > 1", "has no steadystate" },
		{ "cpu_idleness.cpu-0 > 5", "--idle-prof=percpu" },
		{ "jobs[1].write.unissued == 0", NULL },
		{ "jobs[2].errors == 0", "its last job is jobs[1]" },
		{ "verify.damage[5].blocks < 5", NULL },
		{ "writer.verify.damage[5].blocks < 5", "does not verify" },
		{ "fiord.hosts.exit == 0", "only the document of fiord-mpi or of fiord merge has hosts" },
		{ "fiord.series.groups.read.lat_max < 1s", NULL },
		{ "fiord.series.groups[1].ios > 0", "the last one is fiord.series.groups[0]" },
		{ "fiord.series.groups[raeder].ios > 0", "did you mean 'reader'?" },
		{ "fiord.series.groups.trim.ios > 0", "no job has I/O of this direction" },
	};
	struct assertion_entry entry[] = { reader, writer };
	const char *group[] = { "reader", NULL };
	struct assertion_absent absent[] = { { "member", "reader" }, { "quiet", NULL } };
	const struct assertion_facts facts = { .entries = entry,
					       .nentries = 2,
					       .absents = absent,
					       .nabsents = 2,
					       .groups = group,
					       .ngroups = 1 };

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assertions list = { 0 };
		struct diag d = { 0 };

		if (assertion_parse(&list, row[i].text, &d))
			fail_msg("%s: %s", row[i].text, diag_text(&d));
		assertion_check(&list, &facts, &d);
		if (!row[i].part ? d.err : !strstr(diag_text(&d), row[i].part))
			fail_msg("%s: '%s' does not contain '%s'", row[i].text, diag_text(&d), row[i].part);
		assertions_fini(&list);
		diag_fini(&d);
	}
}

/* reader, writer, and a second reader with an error. */
static void make_result(struct result *r)
{
	struct result_job a = { .name = "reader" }, b = { .name = "writer" }, c = { .name = "reader" }, *job;
	struct result_step_lat fast = { .sum = { 1, 10, 10, 10, 10, { 10, 10 } } },
			       slow = { .sum = { 1, 30, 30, 30, 30, { 30, 30 } } };
	/* The third step is a pause, and nothing completed in the fourth one. */
	struct result_rate_step step[] = {
		{ .dir = { { .rate = 5, .iops = 5, .lat = { fast } } } },
		{ .dir = { { .rate = 5, .iops = 3, .lat = { slow } } } },
		{ .dir = { { .rate = 0 } } },
		{ .dir = { { .rate = 5 } } },
	};
	const struct result_rate_steps steps = { .dirs = 1 << DIR_READ, .steps = step, .nsteps = 4 };
	struct summary_dir *d = &a.sum.dir[DIR_READ];

	result_init(r, "fiord", "1", "3");
	d->ios = 1000;
	d->bytes = 4096000;
	d->iops = 1234.5678914;
	d->bw_bytes = 5000000;
	d->runtime_ms = 810;
	d->lat[LAT_CLAT] =
		(struct summary_lat){ .n = 1000, .min = 10, .max = 99, .mean = 50.5, .percentiles = true };
	d->lat[LAT_CLAT].value[0] = 40;
	d->lat[LAT_CLAT].value[1] = 98;
	d->bw_row = (struct summary_rate){ 3, 100, 300, 200, 10 };
	a.sum.npercentiles = 2;
	a.sum.percentiles[0] = 50;
	a.sum.percentiles[1] = 99.9;
	a.verify.on = true;
	a.verify.damaged = 3;
	c = a;
	c.error = 5;
	c.error_text = "f, read at offset 0, EIO";
	b.sum.npercentiles = 1;
	b.sum.percentiles[0] = 99;
	job = result_add_job(r, &a);
	result_add_job(r, &b);
	result_add_job(r, &c);
	result_job_rate_steps(r, job, &steps);
	result_add_disk(r, &(struct result_disk){ .name = "sda", .counts = { .util = 33.3 } });
}

static void assertions_are_judged(void **state)
{
	/* Verdicts as letters: passed, failed, not measured. */
	static const struct {
		const char *text, *of, *figure, *verdicts;
	} row[] = {
		{ "read.iops == 1234.567891", "reader", "read.iops", "pp" }, /* as the document prints it */
		{ "read.iops > 1234.567891", "reader", "read.iops", "ff" },
		{ "read.iops >= 1234.567891", "reader", "read.iops", "pp" },
		{ "read.iops != 1234.567891", "reader", "read.iops", "ff" },
		{ "reader.read.p99.9 < 98ns", "reader", "read.clat.p99.9", "ff" },
		{ "read.p99.9 <= 98ns", "reader", "read.clat.p99.9", "pp" },
		{ "read.clat.mean < 50.6ns", "reader", "read.clat.mean", "pp" },
		{ "read.bw >= 5000000", "reader", "read.bw", "pp" },
		{ "read.bw_mean == 200KiB/s", "reader", "read.bw_mean", "pp" },
		{ "read.iops_mean > 0", "reader", "read.iops_mean", "nn" },
		{ "write.iops < 5", "writer", "write.iops", "n" },
		{ "write.resp.p99 < 1s", "writer", "write.resp.p99", "n" },
		{ "write.total_ios == 0", "writer", "write.total_ios", "p" },
		{ "iops > 0", "reader", "read.iops", "pnp" },
		{ "errors == 0", "reader", "errors", "ppn" },
		{ "verify.damaged < 3", "reader", "verify.damaged", "ff" },
		{ "sync.total_ios == 0", "reader", "sync.total_ios", "pp" },
		{ "sync.lat.p50 < 1s", "reader", "sync.lat.p50", "nn" },
		{ "disk_util.sda.util == 33.3%", "sda", "disk_util.util", "p" },
		{ "disk_util.sdb.util < 50%", "sdb", "disk_util.util", "n" },
		{ "fiord.self.wall_ns >= 0ns", NULL, "fiord.self.wall_ns", "p" },
		{ "rate_steps[0].read.iops == 5", "reader", "rate_steps.steps[0].read.iops", "p" },
		{ "rate_steps[1].read.p99 < 30ns", "reader", "rate_steps.steps[1].read.clat.p99", "f" },
		{ "rate_steps[2].read.p99 < 1s", "reader", "rate_steps.steps[2].read.clat.p99", "n" },
		/* Of all entries the worst one, or one without a value that should have one. */
		{ "rate_steps.iops >= 3", "reader", "rate_steps.steps[2].read.iops", "f" },
		{ "rate_steps.iops < 6", "reader", "rate_steps.steps[0].read.iops", "p" },
		{ "rate_steps.rate != 0", "reader", "rate_steps.steps[2].read.rate", "f" },
		{ "rate_steps.clat.max < 1s", "reader", "rate_steps.steps[3].read.clat.max", "n" },
		{ "rate_steps.resp.max < 1s", "reader", "rate_steps.steps[0].read.resp.max", "n" },
		{ "files[data.1].read.ios > 0", "reader", "files[\"data.1\"].read.ios", "nn" },
	};
	struct assertion_entry entry[] = { reader, writer, reader };
	const struct assertion_facts facts = { .entries = entry, .nentries = 3, .disks = true };

	entry[0].steps = 4;
	entry[0].step_dirs = 1 << DIR_READ;
	entry[1].steps = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assertions list = { 0 };
		struct result r = { 0 };
		struct diag d = { 0 };
		char got[8] = "";

		make_result(&r);
		assert_int_equal(assertion_parse(&list, row[i].text, &d), 0);
		assert_int_equal(assertion_check(&list, &facts, &d), 0);
		assert_int_equal(assertion_judge(&list, &facts, &r), 0);
		for (size_t k = 0; k < r.verdicts.n; k++)
			got[k] = r.verdicts.v[k].why ? 'n' : r.verdicts.v[k].passed ? 'p' : 'f';
		if (strcmp(got, row[i].verdicts))
			fail_msg("%s: %s, not %s", row[i].text, got, row[i].verdicts);
		assert_string_equal(r.verdicts.v[0].figure, row[i].figure);
		assert_string_equal(r.verdicts.v[0].of ? r.verdicts.v[0].of : "-",
				    row[i].of ? row[i].of : "-");
		assert_int_equal(r.exit.code, strspn(got, "p") == strlen(got) ? 0 : EXIT_THRESHOLD);
		assertions_fini(&list);
		result_free(&r);
	}
}

static void later_namesakes_have_a_number(void **state)
{
	struct assertion_entry entry[] = { reader, writer, reader };
	const struct assertion_facts facts = { .entries = entry, .nentries = 3, .disks = true };
	struct assertions list = { 0 };
	struct result r = { 0 };
	struct diag d = { 0 };

	(void)state;
	make_result(&r);
	assert_int_equal(assertion_parse(&list, "error == 0", &d), 0);
	assert_int_equal(assertion_judge(&list, &facts, &r), 0);
	assert_int_equal(r.verdicts.n, 3);
	assert_string_equal(r.verdicts.v[0].of, "reader");
	assert_string_equal(r.verdicts.v[2].of, "reader (2)");
	assert_false(r.verdicts.v[2].passed);
	assertions_fini(&list);
	result_free(&r);
}

/* A value that is copied from the document meets "==", also one with 17 digits. */
static void limits_have_all_digits(void **state)
{
	const struct figure f = { .name = "f", .type = FIGURE_DOUBLE, .scale = 1 };
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (unsigned i = 0; i < 2000; i++) {
		double value = (double)rng_u64(&r) / (double)(1u << i % 31), limit, decimal;
		char text[64];
		const char *end;

		snprintf(text, sizeof(text), "%.6f", value);
		decimal = strtod(text, NULL);
		end = limit_number(text, &limit);
		assert_true(end && !*end);
		assert_memory_equal(&limit, &decimal, sizeof(limit));
		limit = figure_value(&f, &value);
		assert_memory_equal(&limit, &decimal, sizeof(limit));
	}
	assert_null(limit_number(".", &(double){ 0 }));
	assert_null(limit_number("e5", &(double){ 0 }));
	assert_string_equal(limit_number("1e5", &(double){ 0 }), "e5");
}

static void rows_are_unique(void **state)
{
	size_t n = 0;

	(void)state;
	FIGURES_EACH (f) {
		size_t same = 0;

		n++;
		FIGURES_EACH (g)
			same += f->of == g->of && f->of != FIGURE_FACT && !strcmp(f->name, g->name);
		assert_int_equal(same, f->of != FIGURE_FACT);
	}
	assert_true(n < FIGURES_MAX);
}

int unit_assertion(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assertions_are_parsed),
		cmocka_unit_test(entries_of_lists_are_parsed),
		cmocka_unit_test(bad_assertions_are_refused),
		cmocka_unit_test(impossible_figures_are_refused),
		cmocka_unit_test(assertions_are_judged),
		cmocka_unit_test(later_namesakes_have_a_number),
		cmocka_unit_test(limits_have_all_digits),
		cmocka_unit_test(rows_are_unique),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
