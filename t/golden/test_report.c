/* Are reports still the same? Results written by hand, compared with t/golden/report/NAME. UPDATE=1 rewrites
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "files.h"
#include "sample_results.h"
#include "report.h"
#include "strbuf.h"

/* ---- the complete sample of fio-compat.md 2.1 ---- */

static void randmix_read(struct summary *s)
{
	static const unsigned clat[] = { 67,  76,  81,  87,  92,   97,   102,  109, 115,
					 124, 137, 153, 420, 1762, 4146, 4883, 8717 };
	struct summary_dir *d = &s->dir[DIR_READ];

	set_rates(d, 120837, 120837ull * 4096, 3001);
	d->lat[LAT_SLAT] = lat_ns(120837, 1217, 4108800, 3523.43, 21715);
	d->lat[LAT_CLAT] = lat_ns(120837, 132, 12368000, 126136.24, 258949.86);
	d->lat[LAT_LAT] = lat_ns(120837, 21 * US, 12396 * US, 129.66 * US, 259.81 * US);
	set_values(&d->lat[LAT_CLAT], clat, 17);
	d->bw_row = (struct summary_rate){ 6, 110856, 218552, 161116, 37587.40 };
	d->iops_row = (struct summary_rate){ 6, 27714, 54638, 40279, 9396.85 };
}

static void randmix_write(struct summary *s)
{
	static const unsigned clat[] = { 79,  88,  92,  99,   105,  111,  117,  123, 130,
					 139, 155, 178, 1303, 2376, 4555, 5866, 8979 };
	struct summary_dir *d = &s->dir[DIR_WRITE];

	set_rates(d, 51654, 51654ull * 4096, 3001);
	d->lat[LAT_SLAT] = lat_ns(51654, 1381, 2828300, 3769.18, 17469.32);
	d->lat[LAT_CLAT] = lat_ns(51654, 131, 21062000, 151832.23, 338424.81);
	d->lat[LAT_LAT] = lat_ns(51654, 19 * US, 21063 * US, 155.60 * US, 338.95 * US);
	set_values(&d->lat[LAT_CLAT], clat, 17);
	d->bw_row = (struct summary_rate){ 6, 46472, 93544, 68872, 16400.64 };
	d->iops_row = (struct summary_rate){ 6, 11618, 23386, 17218, 4100.16 };
}

static void randmix_rest(struct summary *s)
{
	static const unsigned sync[] = { 41,  79,  95,  124,  147,  169,   192,   210,  229,
					 253, 297, 437, 2573, 3294, 11469, 11469, 11469 };
	static const double ns[] = { 0, 0, 0, 0, 0, 0, 0.03, 0.01, 0.01, 0 };
	static const double us[] = { 0, 0.01, 0.01, 0.03, 0.18, 38.99, 59.17, 0.48, 0.13, 0.14 };
	static const double ms[] = { 0.36, 0.34, 0.12, 0.01, 0.01 };

	s->sync_ios = 807;
	s->sync = lat_ns(807, 14 * US, 11531 * US, 272.03 * US, 578.17 * US);
	s->sync.min = 14000;
	set_values(&s->sync, sync, 17);
	memcpy(s->lat_ns, ns, sizeof(ns));
	memcpy(s->lat_us, us, sizeof(us));
	memcpy(s->lat_ms, ms, sizeof(ms));
	s->usr_cpu = 3.60;
	s->sys_cpu = 22.83;
	s->self = (struct summary_self){ true, 626.5, 3971.75, 26.43, 4.96, 38 };
	s->ctx = 38225;
	s->minf = 14;
	s->depth[0] = s->depth[1] = s->depth[2] = 0.1;
	s->depth[3] = 100.5;
	s->submit[1] = s->complete[1] = 100;
	s->complete[2] = 0.1;
	s->job_runtime_ms = 3000;
}

static void make_randmix(struct result *r)
{
	static const struct result_opt global[] = {
		{ "directory", "/tmp" }, { "size", "4m" }, { "bs", "4k" }, { "time_based", NULL }
	};
	static const struct result_opt own[] = { { "rw", "randrw" },  { "ioengine", "io_uring" },
						 { "iodepth", "4" },  { "iodepth", "8" },
						 { "fsync", "64" },   { "description", "mixed sample" },
						 { "runtime", "2s" }, { "rate", "8m" },
						 { "filename", "x" } };
	struct result_disk vda = {
		.name = "vda",
		.counts = { { 138495, 72031 }, { 1193248, 602928 }, { 33, 2 }, { 13972, 6078 }, 20112, 74.47 }
	};
	struct result_job j = new_job("randmix", 31347);

	j.description = "mixed sample";
	j.options = own;
	j.noptions = sizeof(own) / sizeof(own[0]);
	randmix_read(&j.sum);
	randmix_write(&j.sum);
	randmix_rest(&j.sum);
	result_globals(r, global, sizeof(global) / sizeof(global[0]));
	result_add_job(r, &j);
	result_add_disk(r, &vda);
}

/* ---- other results ---- */

static void make_read(struct result *r)
{
	struct result_job j = new_job("reader", 100);

	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	result_add_job(r, &j);
}

/* An open rate on a device that is too slow for it. */
static void make_open(struct result *r)
{
	struct result_job j = new_job("open", 100);
	struct summary_dir *d = &j.sum.dir[DIR_READ];

	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	d->lat[LAT_RESP] = lat_ns(10000, 2000000, 51000000, 26500000, 14000000);
	d->unissued = 50;
	d->unissued_age_ns = 50000000;
	d->asked_ios = d->arrivals = 10050;
	d->asked_ns = 10000000000;
	d->asked_iops = 1005;
	d->queue_max = 50;
	d->queue_mean = 24.75;
	result_add_job(r, &j);
}

/* The first step is met, the second is too fast for the device, and the third was not reached. */
static void make_rate_steps(struct result *r)
{
	static const uint64_t ns[] = { 100, 130 }, count[] = { 999, 1 };
	struct result_job j = new_job("steps", 100);
	struct result_rate_step step[3] = {
		{ .length_ns = 1000000000 },
		{ .start_ns = 1000000000, .length_ns = 500000000 },
		{ .start_ns = 2000000000 },
	};
	struct result_step_dir *d = &step[0].dir[DIR_READ];

	simple_dir(&j.sum, DIR_READ, 3000, 1500);
	*d = (struct result_step_dir){ .rate = 1000,
				       .ios = 1000,
				       .bytes = 4096000,
				       .done_ios = 1000,
				       .done_bytes = 4096000,
				       .iops = 1000,
				       .bw_bytes = 4096000 };
	d->lat[STEP_CLAT].sum = (struct step_lat_figures){ 1000, 100, 130, 100030, 100.03, { 100, 100 } };
	d->lat[STEP_CLAT].bins = (struct result_bins){ ns, count, 2 };
	d->lat[STEP_RESP].sum =
		(struct step_lat_figures){ 1000, 2000, 3000000, 5000000, 5000, { 2016, 3520 } };
	d = &step[1].dir[DIR_READ];
	*d = (struct result_step_dir){ .rate = 5000,
				       .ios = 2000,
				       .bytes = 8192000,
				       .late_ios = 20,
				       .done_ios = 1980,
				       .done_bytes = 8110080,
				       .iops = 3960,
				       .bw_bytes = 16220160 };
	d->lat[STEP_CLAT].sum =
		(struct step_lat_figures){ .n = 2000, .min = 1, .max = 9, .sum = 10000, .mean = 5 };
	step[2].dir[DIR_READ].rate = 100;
	j.rate_steps = (struct result_rate_steps){ .dirs = 1, .steps = step, .nsteps = 3 };
	result_add_job(r, &j);
}

static void make_nothing(struct result *r)
{
	struct result_job j = new_job("idle", 100);

	j.sum.job_runtime_ms = 1000;
	result_add_job(r, &j);
}

/* Writes: a priority with two thirds of them and one with a third. Reads: two priorities, one without
 * percentiles. */
static void make_prios(struct result *r)
{
	struct result_job j = new_job("prios", 100);
	static const uint64_t ns[] = { 31000, 45000 }, count[] = { 100, 200 };
	struct result_prio reads[2] = { { .sum = { .class = 0, .share = 25 } },
					{ .sum = { .class = 1, .level = 7, .hint = 1023, .share = 75 } } };
	struct result_prio writes[2] = { { .sum = { .class = 2, .level = 3, .share = 66.666 } },
					 { .sum = { .class = 3, .share = 33.334 } } };

	simple_dir(&j.sum, DIR_READ, 400, 100);
	simple_dir(&j.sum, DIR_WRITE, 300, 100);
	reads[0].sum.lat = lat_ns(100, 20 * US, 90 * US, 31 * US, 12.5 * US);
	reads[1].sum.lat = lat_ns(300, 1000, 2000, 1500.5, 2);
	writes[0].sum.lat = j.sum.dir[DIR_WRITE].lat[LAT_CLAT];
	writes[0].sum.lat.n = 200;
	writes[0].bins = (struct result_bins){ ns, count, 1 };
	writes[1].sum.lat = j.sum.dir[DIR_WRITE].lat[LAT_CLAT];
	writes[1].sum.lat.n = 100;
	j.prio_kind = LAT_CLAT;
	j.prios[DIR_READ] = reads;
	j.prios[DIR_WRITE] = writes;
	j.nprios[DIR_READ] = j.nprios[DIR_WRITE] = 2;
	result_add_job(r, &j);
}

static void make_one_io(struct result *r)
{
	struct result_job j = new_job("one", 100);
	struct summary_dir *d = &j.sum.dir[DIR_WRITE];

	set_rates(d, 1, 4096, 1);
	d->lat[LAT_CLAT] = lat_ns(1, 7111, 7111, 7111, 0);
	d->lat[LAT_LAT] = lat_ns(1, 7922, 7922, 7922, 0);
	d->lat[LAT_CLAT].percentiles = true;
	for (unsigned i = 0; i < j.sum.npercentiles; i++)
		d->lat[LAT_CLAT].value[i] = 7111;
	j.sum.lat_us[2] = 100;
	j.sum.depth[0] = j.sum.submit[1] = j.sum.complete[1] = 100;
	j.iodepth = 1;
	result_add_job(r, &j);
}

/* 10^15 bytes in a day by slow I/Os of 1 GB, in decimal units, with long percentiles. */
static void make_huge(struct result *r)
{
	static const double list[] = { 50, 99.99999999, 100 };
	struct result_job j = new_job("huge", 100);
	struct summary_dir *d = &j.sum.dir[DIR_READ];

	j.units.kb_base = 1000;
	j.sum.npercentiles = 3;
	j.sum.percentile_decimals = 8;
	memcpy(j.sum.percentiles, list, sizeof(list));
	set_rates(d, 1000000, 1000000000000000ull, 86400000);
	d->lat[LAT_CLAT] = lat_ns(1000000, 5e9, 4e12, 8e11, 3e9);
	d->lat[LAT_CLAT].percentiles = true;
	d->lat[LAT_CLAT].value[0] = 500000000000;
	d->lat[LAT_CLAT].value[1] = 3999999999999;
	d->lat[LAT_CLAT].value[2] = 4000000000000;
	d->bw_row = (struct summary_rate){ 172800, 9000000, 13000000, 11302806.5, 1000.25 };
	d->iops_row = (struct summary_rate){ 172800, 10, 13, 11.57, 0.5 };
	d->short_ios = 12;
	j.sum.lat_ms[10] = 0.01;
	j.sum.lat_ms[11] = 99.99;
	j.sum.depth[6] = 100;
	result_add_job(r, &j);
}

static void make_group(struct result *r)
{
	struct result_job j = new_job("worker", 100);

	j.members = 500;
	simple_dir(&j.sum, DIR_WRITE, 50000000, 60000);
	j.sum.dir[DIR_WRITE].bw_row = (struct summary_rate){ 120, 3000000, 3600000, 3333333.25, 1234.5 };
	j.sum.dir[DIR_WRITE].iops_row = (struct summary_rate){ 120, 800000, 900000, 833333.5, 321 };
	result_add_job(r, &j);
	for (unsigned i = 0; i < 3; i++) {
		struct result_job k = new_job("other", 700 + (int)i);

		k.group = 1;
		simple_dir(&k.sum, DIR_READ, 1000 * (i + 1), 1000 + i);
		simple_dir(&k.sum, DIR_TRIM, 10 * (i + 1), 1000);
		result_add_job(r, &k);
	}
}

static void make_error(struct result *r)
{
	struct result_job j = new_job("writer", 100), k = new_job("broken", 101), m = new_job("lossy", 102);

	j.error = ENOSPC;
	j.error_text = "/path/file, write at offset 4096, No space left on device (ENOSPC)";
	simple_dir(&j.sum, DIR_WRITE, 1, 1);
	result_add_job(r, &j);
	k.error = EACCES;
	result_add_job(r, &k);
	m.continue_on_error = true;
	m.sum.errors = 3;
	m.sum.first_error = EIO;
	simple_dir(&m.sum, DIR_READ, 1000, 1000);
	result_add_job(r, &m);
	result_exit_code(r, 1);
}

/* A job with damage, one with more damage than is listed, and one that could not verify. */
static void make_verify(struct result *r)
{
	static const struct result_damage flip = {
		"/data/a\tb", "corrupt", "0x3e", "0x1e", "corrupt: 0x3e expected, 0x1e found", 9000, 1, 1
	};
	static const struct result_damage zeroed = { .file = "/data/x",
						     .kind = "zeroed",
						     .text = "zeroed",
						     .offset = 40960,
						     .length = 4096,
						     .blocks = 1 };
	static const struct result_damage stale = {
		"/data/x",  "stale", "write 70", "write 6", "stale: write 70 expected, write 6 found",
		1ull << 40, 20480,   5
	};
	struct result_job j = new_job("db", 100);
	struct result_job *job;

	simple_dir(&j.sum, DIR_READ, 16386, 1000);
	simple_dir(&j.sum, DIR_WRITE, 20000, 1000);
	j.error = EILSEQ;
	j.error_text = "/data/a: verify at offset 9000, length 1: corrupt: 0x3e expected, 0x1e found";
	j.verify = (struct result_verify){ .on = true,
					   .checked = 16384,
					   .in_part = 2,
					   .damaged = 7,
					   .known_by = "map",
					   .memory_bytes = 65544 };
	job = result_add_job(r, &j);
	result_job_damage(r, job, &flip);
	result_job_damage(r, job, &zeroed);
	result_job_damage(r, job, &stale);
	j.name = "ruin";
	j.verify = (struct result_verify){
		.on = true, .checked = 16384, .damaged = 9999, .unlisted = 9799, .known_by = "seeds"
	};
	job = result_add_job(r, &j);
	for (unsigned i = 0; i < 40; i++)
		result_job_damage(r, job, &stale);
	j = new_job("dead", 101);
	j.verify = (struct result_verify){ .on = true, .not_checked = 12, .known_by = "headers" };
	result_add_job(r, &j);
	result_exit_code(r, 4);
}

static void make_interrupted(struct result *r)
{
	struct result_job j = new_job("victim", 100);
	struct result_job *kept;

	j.lost_reason = "worker 1 (pid 100) was killed by SIGKILL; its counts so far are included";
	simple_dir(&j.sum, DIR_READ, 1000, 1000);
	kept = result_add_job(r, &j);
	result_job_note(kept, "iodepth=%u has no effect with ioengine=psync", 8);
	j.lost_reason = NULL;
	j.pid = 101;
	kept = result_add_job(r, &j);
	result_job_note(kept, "iodepth=%u has no effect with ioengine=psync", 8);
	result_job_note(kept, "reads of holes return zeros");
	result_note(r, "%s", "runtime=10min is 600 s");
	result_interrupted(r, SIGINT, 12345678901);
	result_exit_code(r, 1);
}

static void make_disks(struct result *r)
{
	struct result_disk dm = { .name = "dm-0",
				  .counts = { { 10, 20 }, { 80, 160 }, { 0, 0 }, { 5, 6 }, 11, 50 } };
	struct result_disk sda = { .name = "sda",
				   .level = 1,
				   .counts = { { 4, 10 }, { 32, 80 }, { 1, 2 }, { 2, 3 }, 5, 40.25 } };
	struct result_disk sdb = { .name = "sdb",
				   .level = 1,
				   .counts = { { 6, 11 }, { 48, 81 }, { 3, 4 }, { 4, 5 }, 9, 30.5 } };

	make_read(r);
	result_add_disk(r, &dm);
	result_add_disk(r, &sda);
	result_add_disk(r, &sdb);
}

/* Names with odd characters, which the document must survive. */
static void make_names(struct result *r)
{
	static const struct result_opt own[] = { { "filename", "/tmp/a\tb" }, { "bad\xff", "\"quoted\\\"" } };
	struct result_job j = new_job("tab\there \x01\x1b[31m \"q\" \\ \xff\xfe caf\xc3\xa9", 100);

	j.description = "line\nbreak";
	j.options = own;
	j.noptions = 2;
	simple_dir(&j.sum, DIR_READ, 5, 1);
	result_add_job(r, &j);
	result_note(r, "%s", "a \"note\"\twith \xc3\x28");
}

/* A mirror below one file system, memory, a device, and odd names. */
static void make_environment(struct result *r)
{
	struct result_device dev[3] = { { .level = 0 }, { .level = 1 }, { .level = 1 } };
	struct result_target t = {
		.path = "/data/a\nb", .type = "file", .files = 1000, .devs = dev, .ndevs = 3
	};
	const struct result_plan_job jobs[] = {
		{ .name = "first", .workers = 4, .repeat = true, .randseed = 137, .seed = 1 },
		{ .name = "tab\t",
		  .group = 1,
		  .wave = 1,
		  .stage = 1,
		  .workers = 1,
		  .threads = true,
		  .seed = UINT64_MAX },
	};

	r->self = (struct result_self){ 2000000000, 11000, 9000, 65536, 4 << 20, 1500000, 250000 };
	props_text(&r->env.props, "governor", "mixed");
	props_bool(&r->env.props, "virtual", true);
	props_text(&t.fs, "type", "ext4");
	props_text(&t.fs, "mount_point", "/data");
	props_text(&t.fs, "options", "rw,x=\"\x1b\"");
	props_u64(&t.fs, "free_bytes", UINT64_MAX);
	props_text(&dev[0].props, "name", "md0");
	props_text(&dev[0].props, "kind", "md");
	props_u64(&dev[0].props, "size_bytes", 1ull << 40);
	props_text(&dev[1].props, "name", "sda");
	props_text(&dev[1].props, "kind", "disk");
	props_text(&dev[1].props, "vendor", "ACME");
	props_text(&dev[1].props, "model", "Disk\x01 1T");
	props_bool(&dev[1].props, "rotational", true);
	props_text(&dev[1].props, "scheduler", "bfq");
	props_text(&dev[1].props, "write_cache", "write through");
	props_text(&dev[1].props, "durable_writes", "neither");
	props_u64(&dev[1].props, "logical_block_size", 512);
	props_u64(&dev[1].props, "hw_queues", 4);
	props_u64(&dev[1].props, "max_hw_sectors_kb", INT32_MAX); /* as virtio_blk without a limit */
	props_text(&dev[2].props, "name", "nvme0n1");
	props_text(&dev[2].props, "kind", "disk");
	props_text(&dev[2].props, "write_cache", "write back");
	props_text(&dev[2].props, "durable_writes", "fua");
	props_u64(&dev[2].props, "logical_block_size", 4096);
	props_u64(&dev[2].props, "hw_queues", 8);
	props_u64(&dev[2].props, "max_hw_sectors_kb", 512);
	result_add_target(r, &t);
	for (unsigned i = 0; i < 3; i++)
		props_fini(&dev[i].props);
	props_fini(&t.fs);
	for (unsigned i = 0; i < 9; i++)
		result_add_target(
			r, &(struct result_target){ .path = "/dev/x", .type = "block device", .files = 1 });
	result_plan_jobs(r, jobs, 2);
	make_nothing(r);
}

/* Adds n I/Os of `ns` nanoseconds, and one of 100 times as long. */
static void add_file_ios(struct result *r, struct result_files *f, const char *path, unsigned dir, unsigned n,
			 uint64_t ns)
{
	const uint64_t mid[] = { hist_mid(hist_index(ns)), hist_mid(hist_index(100 * ns)) },
		       count[] = { n, 1 };
	const struct result_bins bins = { mid, count, 2 };
	struct file_dir d = { .ios = n + 1, .bytes = 4096 * (n + 1ull) };

	for (unsigned k = 0; k < FILE_LATS && (k == FILE_CLAT || dir != DIR_SYNC); k++) {
		d.lat[k].min = UINT64_MAX;
		for (unsigned i = 0; i < n; i++)
			moments_add(&d.lat[k], ns);
		moments_add(&d.lat[k], 100 * ns);
	}
	result_file_add(r, result_files_find(r, f, NULL, path), dir, &d, f->percentiles ? &bins : NULL);
}

/* A file with all directions and errors, one with a name of a terminal's control characters, one without I/O.
 */
static void make_files(struct result *r)
{
	static const struct file_dir failed = { .short_ios = 3, .errors = 12 };
	struct result_job j = new_job("files", 100), *own;
	struct result_files *f;

	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	own = result_add_job(r, &j);
	f = &own->files;
	*f = (struct result_files){ .on = true, .percentiles = true };
	add_file_ios(r, f, "/data/a", DIR_READ, 900, 12345);
	add_file_ios(r, f, "/data/a", DIR_WRITE, 9000, 50);
	add_file_ios(r, f, "/data/a", DIR_SYNC, 90, 7000000);
	result_file_add(r, result_files_find(r, f, NULL, "/data/a"), DIR_TRIM, &failed, NULL);
	add_file_ios(r, f, "/data/\x1b[31mb", DIR_READ, 1, 1234567890);
	result_files_find(r, f, NULL, "/data/unused");
	result_files_finish(r, f, &own->sum);
}

/* 100 files: the text lists the busiest, the slowest and those with errors. */
static void make_many_files(struct result *r)
{
	static const struct file_dir failed = { .errors = 2 };
	struct result_job j = new_job("many", 100), *own;
	char path[32];

	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	own = result_add_job(r, &j);
	own->files.on = true;
	for (unsigned i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/data/%u", i);
		add_file_ios(r, &own->files, path, DIR_READ, 10 + i, 1000 + 100 * (i % 50));
		if (i == 11 || i == 33)
			result_file_add(r, result_files_find(r, &own->files, NULL, path), DIR_READ, &failed,
					NULL);
	}
	result_files_finish(r, &own->files, &own->sum);
}

static void make_empty(struct result *r)
{
	(void)r;
}

static const struct {
	const char *name;
	void (*make)(struct result *r);
} cases[] = {
	{ "randmix", make_randmix }, { "read", make_read },
	{ "nothing", make_nothing }, { "one-io", make_one_io },
	{ "huge", make_huge },       { "group", make_group },
	{ "error", make_error },     { "interrupted", make_interrupted },
	{ "disks", make_disks },     { "names", make_names },
	{ "empty", make_empty },     { "prios", make_prios },
	{ "open", make_open },       { "environment", make_environment },
	{ "verify", make_verify },   { "rate-steps", make_rate_steps },
	{ "files", make_files },     { "files-many", make_many_files },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static void make(struct result *r, size_t i)
{
	begin(r);
	cases[i].make(r);
	result_finish(r);
	assert_false(r->failed);
}

/* ---- golden files ---- */

static void check_report(size_t i, const char *suffix, int (*report)(const struct result *, struct strbuf *))
{
	struct strbuf b = { 0 };
	struct result r;
	char name[64];

	make(&r, i);
	assert_int_equal(report(&r, &b), 0);
	snprintf(name, sizeof(name), "%s.%s", cases[i].name, suffix);
	check_golden(name, &b);
	strbuf_fini(&b);
	result_free(&r);
}

static void normal_is_as_committed(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++)
		check_report(i, "txt", report_normal);
}

static void json_is_as_committed(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++)
		check_report(i, "json", report_json);
}

/* All cases of one terse version in a file. */
static void terse_is_as_committed(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 5; version++) {
		struct strbuf b = { 0 };
		char name[32];

		for (size_t i = 0; i < CASES; i++) {
			struct result r;

			make(&r, i);
			assert_int_equal(report_terse(&r, version, &b), 0);
			result_free(&r);
		}
		snprintf(name, sizeof(name), "terse%u.txt", version);
		check_golden(name, &b);
		strbuf_fini(&b);
	}
}

/* fio-compat.md 2.4, with one disk and a description. */
static void terse_has_fios_fields(void **state)
{
	static const unsigned fields[] = { [2] = 161, [3] = 131, [4] = 172, [5] = 190 };

	(void)state;
	for (unsigned version = 2; version <= 5; version++) {
		struct strbuf b = { 0 };
		struct result r;
		unsigned n = 1;

		make(&r, 0);
		assert_int_equal(r.ndisks, 1);
		assert_non_null(r.jobs[0]->description);
		assert_int_equal(report_terse(&r, version, &b), 0);
		for (const char *c = strbuf_str(&b); *c && *c != '\n'; c++)
			n += *c == ';';
		assert_int_equal(n, fields[version]);
		strbuf_fini(&b);
		result_free(&r);
	}
}

/* ---- JSON ---- */

static char *json_of(const char *name)
{
	struct strbuf b = { 0 };
	struct result r;

	for (size_t i = 0; i < CASES; i++) {
		if (strcmp(cases[i].name, name))
			continue;
		make(&r, i);
		assert_int_equal(report_json(&r, &b), 0);
		result_free(&r);
		return b.text;
	}
	fail_msg("no case %s", name);
	return NULL;
}

static void json_is_valid(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++) {
		char *text = json_of(cases[i].name);
		cJSON *doc = cJSON_ParseWithOpts(text, NULL, 1);

		assert_non_null(doc);
		assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(doc, "fio version")),
				    "fio-3.42-fiord1.0.0");
		assert_true(cJSON_IsArray(cJSON_GetObjectItem(doc, "jobs")));
		assert_true(cJSON_IsObject(cJSON_GetObjectItem(doc, "fiord")));
		cJSON_Delete(doc);
		free(text);
	}
}

static void json_keeps_names(void **state)
{
	char *text = json_of("names");
	cJSON *doc = cJSON_Parse(text), *job;

	(void)state;
	job = cJSON_GetArrayItem(cJSON_GetObjectItem(doc, "jobs"), 0);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(job, "jobname")),
			    "tab\there \x01\x1b[31m \"q\" \\ \xef\xbf\xbd\xef\xbf\xbd caf\xc3\xa9");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(job, "desc")), "line\nbreak");
	cJSON_Delete(doc);
	free(text);
}

/* Each key of fio 3.33's job is in the document, with the same type. */
static void compare(const cJSON *fio, const cJSON *ours, const char *path)
{
	char where[512];
	const cJSON *item;

	if (!ours)
		fail_msg("%s is missing", path);
	if (fio->type != ours->type)
		fail_msg("%s is of another type", path);
	if (cJSON_IsArray(fio) && fio->child) {
		snprintf(where, sizeof(where), "%s[]", path);
		compare(fio->child, ours->child, where);
		return;
	}
	cJSON_ArrayForEach(item, fio)
	{
		snprintf(where, sizeof(where), "%s.%s", path, item->string);
		compare(item, cJSON_GetObjectItemCaseSensitive(ours, item->string), where);
	}
}

static void json_has_fios_keys(void **state)
{
	char *fio_text = read_golden("fio-3.33.json"), *text = json_of("randmix");
	cJSON *fio = cJSON_Parse(fio_text), *ours = cJSON_Parse(text);

	(void)state;
	assert_non_null(fio);
	compare(fio, ours, "");
	cJSON_Delete(fio);
	cJSON_Delete(ours);
	free(fio_text);
	free(text);
}

/* Reads indent, key and kind of value: s text, f float, i integer, or a bracket. */
static void shape_of(const char *line, size_t len, char *out, size_t size)
{
	const char *colon = NULL, *value, *end = line + len;
	char kind = 'i';

	for (const char *p = line; p + 3 <= end && !colon; p++) {
		if (!memcmp(p, " : ", 3))
			colon = p;
	}
	value = colon ? colon + 3 : line + strspn(line, " ");
	if (*value == '"')
		kind = 's';
	else if (strchr("{}[]", *value))
		kind = *value;
	else if (memchr(value, '.', (size_t)(end - value)))
		kind = 'f';
	snprintf(out, size, "%.*s%c", (int)((colon ? colon : value) - line), line, kind);
}

/* Compares line by line with fio's layout, order and kinds of numbers; fiord may add lines between. */
static void json_has_fios_layout(void **state)
{
	char *fio = read_golden("fio-3.33.json"), *ours = json_of("randmix");
	const char *at = ours;

	(void)state;
	for (const char *line = fio; *line;) {
		char want[256], got[256] = "";
		size_t len = strcspn(line, "\n");

		shape_of(line, len, want, sizeof(want));
		while (*at && strcmp(want, got)) {
			size_t n = strcspn(at, "\n");

			shape_of(at, n, got, sizeof(got));
			at += n + 1;
		}
		if (strcmp(want, got))
			fail_msg("not in its place: %s", want);
		line += len + (line[len] == '\n');
	}
	free(fio);
	free(ours);
}

/* ---- result ---- */

/* clang-format off */
static const struct { int code[4], all[4], first; } endings[] = {
	{ { 0 }, { 0 }, 0 },
	{ { 1 }, { 1 }, 1 },
	{ { 5, 130, 6, 1 }, { 1, 6, 130, 5 }, 1 },
	{ { 1, 4, 1, 4 }, { 4, 1 }, 4 },
	{ { 143, 5 }, { 143, 5 }, 143 },
	{ { 1, 3 }, { 3, 1 }, 3 },
};
/* clang-format on */

static void exit_codes_have_ranks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		struct result r;
		unsigned n = 0;

		result_init(&r, "fiord", "1.0.0", "3.42");
		for (unsigned k = 0; k < 4; k++) {
			result_exit_code(&r, endings[i].code[k]);
			n += endings[i].all[k] != 0;
		}
		assert_int_equal(r.exit.code, endings[i].first);
		assert_int_equal(r.exit.count, n);
		for (unsigned k = 0; k < n; k++)
			assert_int_equal(r.exit.all[k], endings[i].all[k]);
		result_free(&r);
	}
}

static void result_owns_its_text(void **state)
{
	char name[] = "before", line[] = "a note", *lines[] = { line };
	struct result_opt opt = { name, NULL };
	struct result_job j = { .name = name, .options = &opt, .noptions = 1, .notes = { lines, 1 } };
	const struct result_job *kept;
	struct result r;

	(void)state;
	result_init(&r, "fiord", "1.0.0", "3.42");
	kept = result_add_job(&r, &j);
	memset(name, 'x', 6);
	line[0] = 'x';
	for (unsigned i = 0; i < 100; i++)
		result_add_job(&r, &j);
	assert_string_equal(kept->name, "before");
	assert_string_equal(kept->options[0].name, "before");
	assert_string_equal(kept->options[0].value, "");
	assert_string_equal(kept->notes.line[0], "a note");
	assert_ptr_equal(r.jobs[0], kept);
	result_free(&r);
	result_free(&r);
}

static void environment_is_known(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "fiord", "1.0.0", "3.42");
	result_environment(&r);
	assert_true(r.env.cpus > 0 && r.env.memory_bytes > 0);
	assert_string_not_equal(r.env.kernel, "unknown");
	assert_non_null(r.env.cpu);
	assert_non_null(r.env.os);
	assert_non_null(r.clock.source);
	result_free(&r);
}

static void short_memory_is_said(void **state)
{
	struct strbuf b = { 0 };
	struct result r;

	(void)state;
	begin(&r);
	r.failed = true;
	assert_int_equal(report_normal(&r, &b), -ENOMEM);
	assert_int_equal(report_json(&r, &b), -ENOMEM);
	strbuf_fini(&b);
	result_free(&r);
}

/* ---- lines before the run ---- */

static void start_lines(void **state)
{
	static const struct report_start jobs[] = {
		{ "randmix",
		  "randrw",
		  "io_uring",
		  0,
		  8,
		  1,
		  { 0 },
		  { 4096, 4096, 4096 },
		  { 4096, 4096, 4096 } },
		{ "y", "read", "psync", 2, 1, 4, { 0 }, { 1024, 65536, 65536 }, { 65536, 65536, 1048576 } },
		{ "z",
		  "write",
		  "null",
		  0,
		  1,
		  1,
		  { .kb_base = 1000 },
		  { 67108864, 512, 512 },
		  { 67108864, 512, 512 } },
	};
	static const unsigned workers[][2] = { { 1, 0 }, { 4, 0 }, { 0, 1 }, { 1, 3 }, { 0, 0 } };
	struct strbuf b = { 0 };
	struct result r;

	(void)state;
	begin(&r);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		report_start_line(&b, &jobs[i]);
	for (int as_fio = 0; as_fio < 2; as_fio++) {
		report_version(&b, r.program, r.version, r.fio_version, as_fio);
		strbuf_putc(&b, '\n');
	}
	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++)
		report_starting(&b, workers[i][0], workers[i][1]);
	report_layout_line(&b, "one", 1, 64 << 20);
	report_layout_line(&b, "four", 4, 64 << 20);
	report_layout_line(&b, "small", 1, 4097);
	check_golden("start.txt", &b);
	strbuf_fini(&b);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_is_as_committed),
		cmocka_unit_test(json_is_as_committed),
		cmocka_unit_test(terse_is_as_committed),
		cmocka_unit_test(terse_has_fios_fields),
		cmocka_unit_test(json_is_valid),
		cmocka_unit_test(json_keeps_names),
		cmocka_unit_test(json_has_fios_keys),
		cmocka_unit_test(json_has_fios_layout),
		cmocka_unit_test(exit_codes_have_ranks),
		cmocka_unit_test(result_owns_its_text),
		cmocka_unit_test(environment_is_known),
		cmocka_unit_test(short_memory_is_said),
		cmocka_unit_test(start_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
