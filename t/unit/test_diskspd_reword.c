/* retell: errors of the job -> the words of the line that it came from. */
#include "ds_show.h"
#include "line.h"
#include "reword.h"
#include "strbuf.h"

struct row {
	const char *said, *told;
};

static const char *const argv[] = {
	"-b1000", "-Su", "-Sw", "-a0,63", "-t2", "-c1G", "my size=5 clones file"
};

static const struct row typed[] = {
	{ "job:12: [x]: cpus_allowed=0,63: no CPU 63; this machine has 0-1",
	  "-a0,63: no CPU 63; this machine has 0-1" },
	{ "job: [x]: cpu_list=0,63: no", "-a0,63: no" },
	{ "direct=1 with bs=1000: f needs multiples of 512 bytes",
	  "-Su -Sw with -b1000: f needs multiples of 512 bytes" },
	{ "filesize=1g: laying out f needs 9 bytes; choose a smaller size",
	  "-c1G: laying out f needs 9 bytes; make it smaller" },
	{ "my size=5 clones file: size=5: too small", "my size=5 clones file: -B: too small" },
	{ "runtime=1 is short", "-d is short" },
	{ "mem=mmaphuge: none", "-l: none" },
	{ "x: its 2 clones share bs=1000.", "x: its 2 threads share -b1000." },
	{ "f: write at offset 4096, length 512: No space left on device (ENOSPC)",
	  "f: write at offset 4096, length 512: No space left on device (ENOSPC)" },
	{ "f: open failed; raise the limit (ulimit -n), or say openfiles=N",
	  "f: open failed; raise the limit (ulimit -n)" },
	{ "f: has 4 bytes, the job needs 8, and it is ours; remove it, or say allow_write=f",
	  "f: has 4 bytes, -c asks for 8, and it is ours; remove it, or say --recreate, or --allow_write=f" },
	{ "f: there is no such file; -c<size> makes one, such as -c1G",
	  "f: there is no such file; -c<size> makes one, such as -c1G" },
	{ "lockmem=5: what no line says stays", "lockmem=5: what no line says stays" },
	{ "/a/bs=1000/b: is gone", "/a/bs=1000/b: is gone" },
	{ "x: libaio with direct=0 does each at once; say direct=1, or ioengine=io_uring",
	  "x: libaio without -S does each at once" },
	{ "x: cpus_allowed_policy=split: 3 workers share 2 CPUs", "x: 3 threads share 2 CPUs" },
	{ "direct=1 measures the device", "-Su measures the device" },
};

static const struct row profile[] = {
	{ "job:3: [span1.f]: direct=1 with bs=1000: f needs",
	  "span1.f: <DisableOSCache> with <BlockSize>: f needs" },
	{ "runtime=2 is short", "-d2 is short" },
	{ "f: there is no such file; -c<size> makes one, such as -c1G",
	  "f: there is no such file; <FileSize> makes one" },
	{ "f: too small: the 9 bytes that -f allows: base offset (-B) 0 + 2 * -T4096 + block (-b) 512",
	  "f: too small: the 9 bytes that <MaxFileSize> allows: base offset (<BaseFileOffset>) 0 + 2 * "
	  "<ThreadStride>4096 + block (<BlockSize>) 512" },
	{ "f: has 4 bytes, the job needs 8", "f: has 4 bytes, <FileSize> asks for 8" },
	{ "job:3: [span1.f]: write_pool_file=none: No such file", "span1.f: <FilePath>none: No such file" },
	{ "remote_only=1 (diskspd -Sr) is for files on NFS", "<DisableLocalCache> is for files on NFS" },
	{ "-Sm: targets that share", "<MemoryMappedIo>: targets that share" },
	{ "direct=1 measures the device, end_fsync=1 counts the flush",
	  "<DisableOSCache> measures the device, <WriteThrough> counts the flushes, too" },
	{ "-t: 70000 threads - too many", "<ThreadsPerFile>: 70000 threads - too many" },
	{ "say --map, or -d2", "say --map, or -d2" },
	{ "a-b -Xp.xml ./-b", "a-b -Xp.xml ./-b" },
};

static const struct row port[] = {
	{ "with direct=1: direct=1 measures the device", "with -Sd: -Sd measures the device" },
	{ "/: does not support direct I/O; use direct=0",
	  "/: does not support unbuffered I/O; leave -S out" },
};

static void check(const struct ds_reword *r, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct strbuf b = { 0 };

		ds_reword(r, rows[i].said, &b);
		assert_string_equal(strbuf_str(&b), rows[i].told);
		strbuf_fini(&b);
	}
}

static void test_typed(void **state)
{
	struct ds_target target = { .path = (char *)"my size=5 clones file" };
	struct ds_span span = { .target = &target, .targets = 1 };
	struct ds_profile p = { .span = &span, .spans = 1 };
	const struct ds_reword r = { .profile = &p, .file = "job", .argc = 7, .argv = argv };

	(void)state;
	check(&r, typed, sizeof(typed) / sizeof(*typed));
}

static void test_profile(void **state)
{
	static const char *const over[] = { "-Xp.xml", "-d2" };
	struct ds_profile p = { 0 };
	const struct ds_reword r = {
		.profile = &p, .file = "job", .argc = 2, .argv = over, .xml = true, .many = true
	};

	(void)state;
	check(&r, profile, sizeof(profile) / sizeof(*profile));
}

static void test_port(void **state)
{
	static const char *const line[] = { "-Sd" };
	struct ds_profile p = { 0 };
	const struct ds_reword r = {
		.profile = &p, .file = "job", .dialect = DS_DIALECT_LINUX, .argc = 1, .argv = line
	};

	(void)state;
	check(&r, port, sizeof(port) / sizeof(*port));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_typed),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
