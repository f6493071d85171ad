/* Does the preset disk know the class of a disk from the facts that sysfs has of it, and judge figures by the
   data sheets of that class? The facts are those of real disks, written by hand; the limits follow from the
   data sheets that the notes name: half the speed of the modest disk, and the speed of the fast one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "disk_class.h"
#include "presets.h"

/* The facts of a disk, and of the file system or machine above it. */
struct machine {
	const char *kind, *transport, *kept_in, *governor, *scheduler, *write_cache;
	bool rotational, is_virtual;
};

static void begin(struct result *r, const struct machine *m)
{
	struct result_device dev = { 0 };
	struct result_target t = {
		.path = "f", .type = "file", .files = 1, .devs = &dev, .ndevs = m->kind != NULL
	};

	result_init(r, "fiord", "1", "1");
	props_text(&dev.props, "name", "sda");
	props_text(&dev.props, "kind", m->kind);
	props_text(&dev.props, "transport", m->transport);
	props_text(&dev.props, "scheduler", m->scheduler);
	props_text(&dev.props, "write_cache", m->write_cache);
	props_bool(&dev.props, "rotational", m->rotational);
	props_text(&t.fs, "kept_in", m->kept_in);
	props_text(&r->env.props, "governor", m->governor);
	props_bool(&r->env.props, "virtual", m->is_virtual);
	result_add_target(r, &t);
	props_fini(&dev.props);
	props_fini(&t.fs);
}

static void classes(void **state)
{
	static const struct {
		struct machine m;
		enum disk_class class;
	} row[] = {
		{ { .kind = "disk", .transport = "ata", .rotational = true }, DISK_ROTATIONAL },
		{ { .kind = "disk", .transport = "sas", .rotational = true }, DISK_ROTATIONAL },
		{ { .kind = "disk", .transport = "ata" }, DISK_SATA_SSD },
		{ { .kind = "disk", .transport = "pcie" }, DISK_NVME },
		{ { .kind = "disk", .transport = "pcie", .is_virtual = true }, DISK_VIRTUAL },
		{ { .kind = "disk", .transport = "virtio", .rotational = true }, DISK_VIRTUAL },
		{ { .kind = "disk", .transport = "tcp" }, DISK_NETWORK },
		{ { .kind = "disk", .transport = "iscsi", .is_virtual = true }, DISK_NETWORK },
		{ { .kind = "rbd" }, DISK_NETWORK },
		{ { .kept_in = "network" }, DISK_NETWORK },
		{ { .kept_in = "memory" }, DISK_UNKNOWN },
		{ { .kind = "disk", .transport = "usb", .rotational = true }, DISK_UNKNOWN },
		{ { .kind = "zram" }, DISK_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct result r;

		begin(&r, &row[i].m);
		if (disk_class_of(&r) != row[i].class)
			fail_msg("row %zu is of class %d", i, disk_class_of(&r));
		result_free(&r);
	}
}

/* A partition on a disk below an LVM volume: the disk decides. */
static void stacked(void **state)
{
	static const struct {
		unsigned level;
		const char *kind, *transport;
	} of[] = { { 0, "dm", NULL }, { 1, "partition", NULL }, { 1, "disk", "ata" } };
	struct result_device dev[3] = { 0 };
	struct result_target t = { .path = "f", .type = "file", .devs = dev, .ndevs = 3 };
	struct result r;

	(void)state;
	result_init(&r, "fiord", "1", "1");
	for (unsigned i = 0; i < 3; i++) {
		dev[i].level = of[i].level;
		props_text(&dev[i].props, "kind", of[i].kind);
		props_text(&dev[i].props, "transport", of[i].transport);
	}
	result_add_target(&r, &t);
	assert_int_equal(disk_class_of(&r), DISK_SATA_SSD);
	for (unsigned i = 0; i < 3; i++)
		props_fini(&dev[i].props);
	result_free(&r);
}

static void ranges_have_sources(void **state)
{
	struct disk_range range;

	(void)state;
	for (unsigned class = DISK_ROTATIONAL; class < DISK_CLASSES; class ++)
		for (unsigned m = 0; m < DISK_MEASURES; m++) {
			assert_true(disk_usual(class, m, &range));
			assert_true(strlen(range.source) > 10);
			assert_int_equal(disk_judge(m, &range, range.slowest), DISK_USUAL);
			assert_int_equal(disk_judge(m, &range, range.fastest), DISK_USUAL);
		}
	assert_false(disk_usual(DISK_UNKNOWN, DISK_IOPS, &range));
}

static void add_job(struct result *r, const char *name, double iops, double mean_ns, uint64_t bw)
{
	struct result_job j = { .name = name };

	j.sum.dir[DIR_READ] =
		(struct summary_dir){ .ios = 1000, .bytes = 4096000, .iops = iops, .bw_bytes = bw };
	j.sum.dir[DIR_READ].lat[LAT_LAT] = (struct summary_lat){ .n = 1000, .mean = mean_ns };
	assert_non_null(result_add_job(r, &j));
}

static bool has_note(const struct result *r, const char *text)
{
	for (size_t i = 0; i < r->notes.count; i++)
		if (strstr(r->notes.line[i], text))
			return true;
	return false;
}

/* 870 EVO: 98,000 IOPS at depth 32; 850 EVO: 10,000 IOPS at depth 1, so 100 us; 540 MB/s. */
static void a_slow_ssd_is_explained(void **state)
{
	static const struct machine m = { .kind = "disk",
					  .transport = "ata",
					  .governor = "powersave",
					  .scheduler = "bfq",
					  .write_cache = "write through" };
	struct result r;

	(void)state;
	begin(&r, &m);
	add_job(&r, "latency", 4900, 201e3, 0);
	add_job(&r, "iops", 50000, 1, 0);
	add_job(&r, "bandwidth", 1, 1, 269000000);
	result_add_disk(&r, &(struct result_disk){ .name = "sda", .counts.sectors = { 3 * 24000, 0 } });
	preset_check_disk(&r);
	assert_non_null(strstr(r.answer, "In part, this disk reads slower than SATA SSDs usually do"));
	assert_non_null(strstr(r.answer, ": 269 MB/s (slower than usual: 270 MB/s to 560 MB/s)."));
	assert_true(has_note(&r, "slower than usual for SATA SSDs (76.9"));
	assert_true(has_note(
		&r, "50.0k IOPS, usual for SATA SSDs (49.0k IOPS to 98.0k IOPS; Samsung 870 EVO data sheet"));
	assert_true(has_note(&r, "269 MB/s, slower than usual for SATA SSDs (270 MB/s to 560 MB/s"));
	assert_true(has_note(&r, "governor is powersave"));
	assert_true(has_note(&r, "echo none >/sys/block/sda/queue/scheduler"));
	assert_true(has_note(&r, "hdparm -W 1"));
	/* The jobs read 3 x 4096000 bytes, and the disk moved 3 x 24000 sectors of 512 bytes. */
	assert_true(has_note(&r, "sda moved 200 % more data than the jobs read"));
	result_free(&r);
}

static void a_usual_ssd_is_not(void **state)
{
	static const struct machine m = { .kind = "disk",
					  .transport = "ata",
					  .governor = "powersave",
					  .scheduler = "bfq",
					  .write_cache = "write back" };
	struct result r;

	(void)state;
	begin(&r, &m);
	add_job(&r, "latency", 10000, 100e3, 0);
	preset_check_disk(&r);
	assert_true(has_note(&r, "usual for SATA SSDs"));
	assert_string_equal(r.answer,
			    "This disk reads as SATA SSDs usually do. The mean latency of one read at a "
			    "time: 100 µs (usual: 76.9 µs to 200 µs).");
	assert_int_equal(r.notes.count, 1);
	result_free(&r);
}

static void a_fast_one_is_doubted(void **state)
{
	static const struct machine m = { .kind = "disk", .transport = "ata", .rotational = true };
	struct result r;

	(void)state;
	begin(&r, &m);
	add_job(&r, "iops", 5000, 1, 0);
	preset_check_disk(&r);
	assert_non_null(strstr(r.answer, "so a cache may have answered"));
	assert_true(has_note(&r, "5,000 IOPS, faster than usual for rotational disks"));
	assert_true(has_note(&r, "try a larger --size, or the whole device"));
	result_free(&r);
}

int unit_disk_check(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(stacked),
		cmocka_unit_test(ranges_have_sources),
		cmocka_unit_test(a_slow_ssd_is_explained),
		cmocka_unit_test(a_usual_ssd_is_not),
		cmocka_unit_test(a_fast_one_is_doubted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
