/* Do buffers work with each kind of memory? */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "iobuf.h"

static const struct {
	uint64_t align;
	unsigned count;
	size_t bytes;
	int ret;
	size_t stride;
} regions[] = {
	{ 0, 1, 1, 0, 4096 },
	{ 0, 3, 4096, 0, 4096 },
	{ 0, 2, 4097, 0, 8192 },
	{ 0, 0, 4096, 0, 0 },
	{ 0, 5, 512, 0, 4096 },
	{ 0, 1, SIZE_MAX, -ENOMEM, 0 },
	{ 0, UINT_MAX, SIZE_MAX / 2, -ENOMEM, 0 },
	{ 0, 1, SIZE_MAX / 4, -ENOMEM, 0 },
	{ 512, 5, 512, 0, 512 },
	{ 1, 3, 1000, 0, 1000 },
	{ 16, 3, 1000, 0, 1008 },
	{ 65536, 3, 4096, 0, 65536 },
	{ 2 << 20, 2, 4096, 0, 2 << 20 },
	{ 0, 5, 1 << 20, 0, 1 << 20 },
	{ 65536, 700, 4096, 0, 65536 },
};

static void test_regions(void **state)
{
	static const struct buffer_cfg unique = { .scramble = true };
	struct content content;

	(void)state;
	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		struct mem_cfg c = { .align = regions[i].align };
		struct diag d = { 0 };
		struct iobuf b;
		size_t nulls = 0;

		assert_int_equal(iobuf_init(&b, &c, NULL, regions[i].count, regions[i].bytes, &d),
				 regions[i].ret);
		assert_int_equal(b.stride, regions[i].stride);
		assert_int_equal(b.bytes, regions[i].stride * regions[i].count);
		assert_int_equal((uintptr_t)b.base % (c.align ? c.align : 4096), 0);
		assert_int_equal(d.err, regions[i].ret);
		diag_fini(&d);
		content_init(&content, &unique, &(struct content_geometry){ .unit = 4096 });
		iobuf_fill(&b, &content);
		for (size_t k = 0; k < b.bytes; k++)
			nulls += !b.base[k];
		assert_in_range(nulls, 0, b.bytes / 64);
		iobuf_fini(&b);
		assert_null(b.base);
		iobuf_fini(&b);
	}
}

/* 2 MiB and more can be huge pages from the first byte to the last that fits. Memory that no I/O touches
   takes no pages, however large it is. */
static void test_unused(void **state)
{
	static const size_t bytes[] = { 4096, 2 << 20, 8 << 20 };

	(void)state;
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		struct mem_cfg c = { .unused = true };
		struct diag d = { 0 };
		struct iobuf b;
		unsigned char there[(8 << 20) / 4096];

		assert_int_equal(iobuf_init(&b, &c, NULL, 1, bytes[i], &d), 0);
		assert_int_equal(mincore(b.base, bytes[i], there), 0);
		for (size_t k = 0; k < bytes[i] / 4096; k++)
			assert_int_equal(there[k] & 1, 0);
		iobuf_fini(&b);
	}
}

static void test_large(void **state)
{
	static const size_t large = 2 << 20;

	(void)state;
	for (unsigned count = 1; count < 9; count++) {
		struct mem_cfg c = { 0 };
		struct diag d = { 0 };
		struct iobuf b;

		assert_int_equal(iobuf_init(&b, &c, NULL, count, (1 << 20) - 4096, &d), 0);
		if (b.bytes >= large)
			assert_int_equal((uintptr_t)b.base % large, 0);
		assert_int_equal(b.map_bytes, b.bytes);
		iobuf_fini(&b);
	}
}

/* True if a line of this process's maps has the text. */
static bool mapped(const char *text)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];
	bool found = false;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		found = found || strstr(line, text);
	fclose(f);
	return found;
}

static void test_kinds(void **state)
{
	static const enum mem_kind kinds[] = { MEM_MALLOC, MEM_SHM, MEM_MMAP, MEM_MMAPSHARED };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct mem_cfg c = { .source.kind = kinds[i] };
		struct diag d = { 0 };
		struct iobuf b;

		assert_int_equal(iobuf_init(&b, &c, NULL, 4, 8192, &d), 0);
		memset(b.base, 1, b.bytes);
		assert_int_equal(mapped("/SYSV00000000"), kinds[i] == MEM_SHM);
		iobuf_fini(&b);
		assert_false(mapped("/SYSV00000000"));
	}
}

static void with_file(const char *dir, enum mem_kind kind, const struct target_allow *allow, int ret)
{
	struct diag d = { 0 };
	struct iobuf b;
	char path[200];
	struct mem_cfg c = { .source = { kind, path } };

	snprintf(path, sizeof(path), "%s/file", dir);
	assert_int_equal(iobuf_init(&b, &c, allow, 2, 4096, &d), ret);
	assert_int_equal(d.err, ret);
	if (!ret) {
		memset(b.base, 1, b.bytes);
		assert_true(mapped(path));
	}
	iobuf_fini(&b);
	diag_fini(&d);
}

/* An existing file keeps its length, and only a permitted shared mapping changes it. A missing file is
 * removed again. */
static void test_files(void **state)
{
	const char *dir = *state;
	char path[200], byte = 'x';
	const char *paths[] = { path };
	struct target_allow allow = { paths, 1 };
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/file", dir);
	with_file(dir, MEM_MMAP, NULL, 0);
	with_file(dir, MEM_MMAPSHARED, NULL, 0);
	assert_int_equal(stat(path, &st), -1);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_int_equal(pwrite(fd, &byte, 1, 0), 1);
	with_file(dir, MEM_MMAP, NULL, -EINVAL); /* too short */
	assert_int_equal(ftruncate(fd, 8192), 0);
	with_file(dir, MEM_MMAP, NULL, 0);
	with_file(dir, MEM_MMAPSHARED, NULL, -EPERM);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, 'x');
	with_file(dir, MEM_MMAPSHARED, &allow, 0);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, 1);
	with_file(dir, MEM_MMAPHUGE, NULL, -EINVAL); /* no hugetlbfs */
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 8192);
	close(fd);
}

static int make_dir(void **state)
{
	static char dir[] = "/tmp/fiord-iobuf.XXXXXX";

	*state = dir;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/file", (char *)*state);
	unlink(path);
	return rmdir(*state);
}

int unit_iobuf(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_regions), cmocka_unit_test(test_large),
					    cmocka_unit_test(test_unused), cmocka_unit_test(test_kinds),
					    cmocka_unit_test_setup_teardown(test_files, make_dir,
									    remove_dir) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
