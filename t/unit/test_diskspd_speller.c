/* diskspd_speller: are messages about a job reworded for a line, a profile and a line of diskspd-for-linux?
 */
#include "diskspd_show.h"
#include "message.h"
#include "speller.h"
#include "strbuf.h"

static const char *const argv[] = { "-b1000", "-Su", "-Sw", "-a0,63", "-t2", "-c1G", "-d2" };

/* Formats, and the text for each reader; NULL: not tested. */
static const struct {
	const char *format, *line, *profile, *port;
} rows[] = {
	{ "{@job:12: }{#x}{cpus_allowed=0,63}: no CPU 63", "-a0,63: no CPU 63", "x: -a0,63: no CPU 63",
	  NULL },
	{ "{@job: }{cpu_list=0,63}: no", "-a0,63: no", "-a0,63: no", NULL },
	{ "{@other:1: }{cpu_list=0,63}: no", "other:1: -a0,63: no", NULL, NULL },
	{ "{direct=1} with {bs=1000}: f", "-Su -Sw with -b1000: f", NULL, NULL },
	{ "{filesize=1g}: f; choose", "-c1G: f; choose", NULL, NULL },
	{ "{size=5}: too small", "-B: too small", "<BaseFileOffset>: too small", "-f: too small" },
	{ "a longer {runtime} makes", "a longer -d makes", "a longer <Duration> makes", "a longer -d makes" },
	{ "{runtime=2} is short", "-d2 is short", "-d2 is short", "-d2 is short" },
	{ "{mem=mmaphuge}: none", "-l: none", "<UseLargePages>: none", NULL },
	{ "2 {~clone|clones}, 1 {~worker|worker}", "2 threads, 1 thread", "2 threads, 1 thread", NULL },
	{ "limit{?, or use {+openfiles=N}}", "limit", "limit", "limit" },
	{ "f: {~needs|the job needs} 8; say {~recreate|allow_write=f}",
	  "f: -c needs 8; say --recreate or --allow_write=f",
	  "f: <FileSize> needs 8; say --recreate or --allow_write=f", "f: -c needs 8; say --allow_write=f" },
	{ "{~job|the job} reads", "the line reads", "the profile reads", "the line reads" },
	{ "{lockmem=5}: no flag is for this", "lockmem=5: no flag is for this", NULL, NULL },
	{ "f{?; say {+direct=1}}{?, or {+ioengine=io_uring}}", "f; say -Su", "f; say <DisableOSCache>",
	  "f; say -Sd" },
	{ "{+direct=1} measures, {+end_fsync=1} counts", "-Su measures, -Sw counts",
	  "<DisableOSCache> measures, <WriteThrough> counts", "-Sd measures, -Ss counts" },
	{ "full{?; choose {+filesize=34m}}", "full; choose -c34M", "full; choose <FileSize>35651584",
	  "full; choose -c34M" },
	{ "full{?; choose {+create_size=1g}}", "full; choose -c1G", "full; choose <FileSize>1073741824",
	  NULL },
	{ "{+bs=4096} or more", "-b4096 or more", "<BlockSize>4096 or more", NULL },
	{ "no direct I/O; {~cached|use direct=0}", "no direct I/O; leave -S out, or write -Sb",
	  "no direct I/O; leave <DisableOSCache> out", "no direct I/O; leave -S out" },
	{ "f; {~create|-c<size> creates it, such as -c1G}", "f; -c<size> creates it, such as -c1G",
	  "f; <FileSize> creates it", NULL },
	{ "{write_pool_file=none}: no", "-Z: no", "<FilePath>none: no", NULL },
	{ "{remote_only=1} is for NFS", NULL, "<DisableLocalCache> is for NFS", NULL },
	{ "{~flag|-Sm}: targets; {~flag|-T4096}", "-Sm: targets; -T4096",
	  "<MemoryMappedIo>: targets; <ThreadStride>4096", NULL },
	{ "{~flag|-b0}: write {~block|-b4K}", "-b0: write -b4K", "<BlockSize>0: write 4096", NULL },
	{ "{~flag|-t}: 70000", "-t: 70000", "<ThreadsPerFile>: 70000", NULL },
	{ "{~flag|-d2}: typed itself", "-d2: typed itself", "-d2: typed itself", NULL },
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void check(const struct ds_speller *words, const char *format, const char *expected)
{
	const struct speller s = ds_speller(words);
	struct strbuf message = { 0 }, text = { 0 };

	if (!expected)
		return;
	message_printf(&message, format);
	message_render(strbuf_str(&message), &s, &text);
	assert_string_equal(strbuf_str(&text), expected);
	strbuf_fini(&message);
	strbuf_fini(&text);
}
#pragma GCC diagnostic pop

static void test_words(void **state)
{
	static const char *const typed[] = { "-Xp.xml", "-d2", "-a0,63" }, *const port_typed[] = { "-d2" };
	const struct ds_speller line = { .file = "job", .argc = 7, .argv = argv };
	const struct ds_speller profile = {
		.file = "job", .argc = 3, .argv = typed, .xml = true, .sections = 2
	};
	const struct ds_speller port = {
		.file = "job", .dialect = DS_DIALECT_LINUX, .argc = 1, .argv = port_typed
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check(&line, rows[i].format, rows[i].line);
		check(&profile, rows[i].format, rows[i].profile);
		check(&port, rows[i].format, rows[i].port);
	}
}

int unit_diskspd_speller(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
