/* Is the screen of --eta=full still the same, and does it fit every terminal? The copies are
   t/golden/screen/NAME.txt; UPDATE=1 rewrites them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "screen.h"
#include "../../src/report/screen_text.h"
#include "strbuf.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define POINTS    60

/* ---- scenes ---- */

static uint64_t iops[POINTS], p99[POINTS];

/* A rate that grows and stops for three points, with latencies that are high thereafter. */
static void make_curves(void)
{
	for (unsigned i = 0; i < POINTS; i++) {
		iops[i] = i >= 40 && i < 43 ? 0 : 1000 + 200 * i;
		p99[i] = i >= 40 && i < 43 ? 0 : i == 43 ? 12340000 : 400000 + 5000 * i;
	}
}

static const struct progress now = { .running = 6,
				     .states = "rwwwwmP_",
				     .percent_known = true,
				     .eta_known = true,
				     .percent = 12.34,
				     .eta_s = 3661 };

#define LAT(mean, p99)                \
	{                             \
		true, true, mean, p99 \
	}

static const struct screen_row few[] = {
	{ .name = "reader",
	  .workers = 1,
	  .state = "running",
	  .active = true,
	  .iops = 54400,
	  .bw = 222822400,
	  .lat[DIR_READ] = LAT(93100, 456000),
	  .all_dirs = LAT(93100, 456000) },
	{ .name = "log-writer-of-the-database-server",
	  .workers = 16,
	  .state = "running",
	  .active = true,
	  .iops = 1234,
	  .bw = 20217856,
	  .lat[DIR_WRITE] = LAT(1234560, 99999000),
	  .all_dirs = LAT(1234560, 99999000) },
	{ .name = "mixed", .workers = 1, .state = "hung 12s", .faulty = true, .active = true },
	{ .name = "r\xc3\xa9plica \xe6\x95\xb0\xe6\x8d\xae", .workers = 1, .state = "waiting" },
	{ .name = "evil\033[2J\xff\n", .workers = 1, .state = "failed", .faulty = true },
};

static const char *const notes[] = {
	"reader: buffered reads of a file that fits in memory measure the page cache; direct=1 avoids it",
	"00:07 mixed: hangs: no I/O has completed for 5 s",
	"00:09 evil: file /tmp/x: read at offset 4096: Input/output error (EIO)",
};

static struct screen_state state(void)
{
	make_curves();
	return (struct screen_state){
		.title = "fiord --eta=full nightly/database.fio",
		.now = &now,
		.elapsed_s = 754,
		.waiting = 1,
		.failed = 1,
		.kind = LAT_CLAT,
		.dirs = 1 << DIR_READ | 1 << DIR_WRITE,
		.rows = few,
		.nrows = LENGTH(few),
		.total = { .name = "total",
			   .state = "",
			   .active = true,
			   .iops = 55634,
			   .bw = 243040256,
			   .lat = { LAT(93100, 456000), LAT(1234560, 99999000) },
			   .all_dirs = LAT(118000, 99999000) },
		.iops = { iops, POINTS },
		.p99 = { p99, POINTS },
		.step_s = 1,
		.notes = notes,
		.nnotes = LENGTH(notes),
	};
}

/* ---- the copies ---- */

static const struct {
	const char *name;
	unsigned width, height;
	bool utf8;
} sizes[] = {
	{ "80x24", 80, 24, true },        { "80x24-ascii", 80, 24, false }, { "40x12", 40, 12, true },
	{ "40x12-ascii", 40, 12, false }, { "10x3", 10, 3, true },          { "10x3-ascii", 10, 3, false },
	{ "160x50", 160, 50, true },
};

static void compare(const char *name, const struct strbuf *out)
{
	char path[4096], copy[16384];
	const char *dir = getenv("GOLDEN_DIR");
	FILE *f;

	snprintf(path, sizeof(path), "%s/screen/%s.txt", dir ? dir : ".", name);
	f = fopen(path, getenv("UPDATE") ? "w" : "r");
	if (!f)
		fail_msg("%s: missing (UPDATE=1 makes it)", path);
	if (getenv("UPDATE"))
		fputs(strbuf_str(out), f);
	else
		copy[fread(copy, 1, sizeof(copy) - 1, f)] = '\0';
	fclose(f);
	if (!getenv("UPDATE"))
		assert_string_equal(copy, strbuf_str(out));
}

static void screens_are_the_same(void **unused)
{
	struct screen_state s = state();

	(void)unused;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct strbuf b = { 0 };

		screen_draw(&s, sizes[i].width, sizes[i].height, sizes[i].utf8, &b);
		compare(sizes[i].name, &b);
		strbuf_fini(&b);
	}
}

/* Of 40 jobs most wait: those that hang or do I/O are in sight, and the others are counted. */
static void busy_jobs_come_first(void **unused)
{
	struct screen_row rows[40];
	struct screen_state s = state();
	struct strbuf b = { 0 };
	char name[40][16];

	(void)unused;
	for (unsigned i = 0; i < 40; i++) {
		snprintf(name[i], sizeof(name[i]), "job%u", i);
		rows[i] = few[i == 37 ? 2 : i >= 20 && i < 26 ? 0 : 3];
		rows[i].name = name[i];
	}
	s.rows = rows;
	s.nrows = 40;
	screen_draw(&s, 80, 24, true, &b);
	compare("many", &b);
	strbuf_fini(&b);
}

/* Before the first figures, and for jobs whose latencies are not measured. */
static void nothing_is_known_yet(void **unused)
{
	static const struct progress unknown = {
		.running = 1, .states = "C", .layout_done = 1 << 20, .layout_total = 1 << 30
	};
	static const struct screen_row row = { .name = "x", .workers = 1, .state = "layout" };
	struct screen_state s = {
		.title = "fiord", .kind = LAT_KINDS, .now = &unknown, .rows = &row, .nrows = 1, .step_s = 1
	};
	struct strbuf b = { 0 };

	(void)unused;
	screen_draw(&s, 80, 24, false, &b);
	compare("start", &b);
	strbuf_fini(&b);
}

/* ---- every size ---- */

static void check_lines(char *text, unsigned width, unsigned height, bool utf8)
{
	unsigned lines = 0;

	for (char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		assert_non_null(end);
		*end = '\0';
		if (screen_columns(text, utf8) > width)
			fail_msg("%ux%u: too wide: %s", width, height, text);
		for (const char *c = text; *c; c++)
			assert_true(*c >= ' ' || (utf8 && *c < 0));
		lines++;
	}
	if (lines > height)
		fail_msg("%ux%u: %u lines", width, height, lines);
}

/* Figures of all lengths, such as 100.0MiB/s. */
static void every_figure_fits(void **unused)
{
	(void)unused;
	for (double v = 1; v < 1e19; v *= 1.0077) {
		struct screen_row row = { .name = "x",
					  .workers = 1,
					  .state = "running",
					  .active = true,
					  .iops = (uint64_t)v,
					  .bw = (uint64_t)v,
					  .lat = { LAT(v, (uint64_t)v), LAT(v, (uint64_t)v) },
					  .all_dirs = LAT(v, (uint64_t)v) };
		struct screen_row rows[] = { row, row };
		struct screen_state s = state();
		struct strbuf b = { 0 };

		iops[POINTS - 1] = p99[POINTS - 1] = (uint64_t)v;
		s.rows = rows;
		s.nrows = 2;
		s.total = row;
		screen_draw(&s, 80, 24, true, &b);
		if (v < 1e12 && (strstr(b.text, "\u2026\n") || !strstr(b.text, "\nx                running")))
			fail_msg("%g: %s", v, b.text);
		check_lines(b.text, 80, 24, true);
		strbuf_fini(&b);
	}
}

static void every_size_fits(void **unused)
{
	struct screen_state s = state();

	(void)unused;
	for (unsigned width = 0; width < 140; width++) {
		for (unsigned height = 0; height < 40; height++) {
			for (int utf8 = 0; utf8 < 2; utf8++) {
				struct strbuf b = { 0 };

				screen_draw(&s, width, height, utf8, &b);
				if (b.len)
					check_lines(b.text, width, height, utf8);
				strbuf_fini(&b);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_are_the_same), cmocka_unit_test(busy_jobs_come_first),
		cmocka_unit_test(nothing_is_known_yet), cmocka_unit_test(every_size_fits),
		cmocka_unit_test(every_figure_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
