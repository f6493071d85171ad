/* sample_results.h: results written by hand, and text against a committed copy: t/golden/report/NAME.
 * UPDATE=1 rewrites it. */
#ifndef SAMPLE_RESULTS_H
#define SAMPLE_RESULTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "report.h"
#include "strbuf.h"

#define FINISHED_MS 1795210245123ull /* Fri Nov 20 21:30:45 2026 */
#define US          1000.0

/* ---- results ---- */

static inline void set_rates(struct summary_dir *d, uint64_t ios, uint64_t bytes, uint64_t runtime_ms)
{
	double rate = (double)bytes * 1000.0 / (double)runtime_ms;

	d->ios = ios;
	d->bytes = bytes;
	d->runtime_ms = runtime_ms;
	d->runtime_ns = runtime_ms * 1000000;
	d->bw_bytes = rate < 0x1p64 ? (uint64_t)rate : UINT64_MAX; /* like the summary */
	d->iops = (double)ios * 1000.0 / (double)runtime_ms;
	summary_set_exact(d);
}

static inline struct summary_lat lat_ns(uint64_t n, double min, double max, double mean, double stddev)
{
	return (struct summary_lat){ n, (uint64_t)min, (uint64_t)max, mean, stddev, false, { 0 } };
}

static inline void set_percentiles(struct summary *s)
{
	static const double list[] = { 1,  5,  10, 20, 30,   40,   50,    60,   70,
				       80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 };

	s->npercentiles = sizeof(list) / sizeof(list[0]);
	s->percentile_decimals = 2;
	s->print_percentiles[LAT_CLAT] = true;
	memcpy(s->percentiles, list, sizeof(list));
}

static inline void set_values(struct summary_lat *l, const unsigned *us, unsigned n)
{
	l->percentiles = true;
	for (unsigned i = 0; i < n; i++)
		l->value[i] = us[i] * 1000ull;
}

static inline void begin(struct result *r)
{
	char *argv[] = { (char[]){ "fiord" }, (char[]){ "--runtime" }, (char[]){ "3" },
			 (char[]){ "it's a job.ini" } };

	setenv("TZ", "UTC", 1);
	tzset();
	result_init(r, "fiord", "1.0.0", "3.42");
	result_command(r, 4, argv);
	r->timestamp_ms = FINISHED_MS;
	r->env = (struct result_env){ .host = "host", .os = "Debian", .kernel = "6.1.0", .arch = "x86_64" };
	r->env.cpu = "A CPU";
	r->env.cpus = 2;
	r->env.memory_bytes = 8ull << 30;
	r->clock = (struct result_clock){ .source = "tsc", .drift_ppm = 0.25 };
}

static inline struct result_job new_job(const char *name, int pid)
{
	struct result_job j = {
		.name = name, .pid = pid, .engine = "io_uring", .rw = "read", .bs = "4096-4096"
	};

	j.iodepth = 8;
	j.start_ms = FINISHED_MS - 3100;
	j.eta_known = true;
	j.elapsed_s = 4;
	set_percentiles(&j.sum);
	return j;
}

/* One direction whose figures follow from `ios` I/Os of 4 KiB. */
static inline void simple_dir(struct summary *s, unsigned dir, uint64_t ios, uint64_t runtime_ms)
{
	struct summary_dir *d = &s->dir[dir];

	set_rates(d, ios, ios * 4096, runtime_ms);
	d->lat[LAT_CLAT] = lat_ns(ios, 20000, 90000, 45000.5, 900.25);
	d->lat[LAT_LAT] = lat_ns(ios, 20100, 90200, 45200.5, 901.25);
	d->lat[LAT_CLAT].percentiles = true;
	for (unsigned i = 0; i < s->npercentiles; i++)
		d->lat[LAT_CLAT].value[i] = 30000 + 1000 * i;
	s->depth[0] = 100;
	s->submit[1] = 100;
	s->complete[1] = 100;
	s->lat_us[4] = 99.97;
	s->lat_us[5] = 0.03;
	s->job_runtime_ms = runtime_ms;
	s->usr_cpu = 3.25;
	s->sys_cpu = 12.5;
}

/* ---- golden files ---- */

static inline FILE *open_golden(const char *name, const char *mode)
{
	const char *dir = getenv("GOLDEN_DIR");
	char source[] = __FILE__, path[4096];
	FILE *f;

	if (dir)
		snprintf(path, sizeof(path), "%s/report/%s", dir, name);
	else
		snprintf(path, sizeof(path), "%s/report/%s", dirname(source), name);
	f = fopen(path, mode);
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	return f;
}

/* The caller frees it. */
static inline char *read_golden(const char *name)
{
	FILE *f = open_golden(name, "r");
	struct strbuf b = { 0 };
	char buf[4096];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_add(&b, buf, n);
	fclose(f);
	strbuf_puts(&b, "");
	return b.text;
}

static inline void check_golden(const char *name, const struct strbuf *b)
{
	char *want;
	FILE *f;

	if (getenv("UPDATE")) {
		f = open_golden(name, "w");
		fputs(strbuf_str(b), f);
		fclose(f);
	}
	want = read_golden(name);
	assert_string_equal(strbuf_str(b), want);
	free(want);
}

#endif
