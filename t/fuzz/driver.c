/* driver.c: passes each file, or each file of a directory, to a fuzz target, so that its corpus runs as a
   plain test. A build with clang -fsanitize=fuzzer leaves it out. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The buffer has exactly the file's size, so a sanitizer sees a read behind its end. */
static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size >= 0)
		data = malloc(size ? (size_t)size : 1);
	if (data)
		rewind(f);
	if (!data || fread(data, 1, (size_t)size, f) != (size_t)size) {
		perror(path);
		size = -1;
	} else {
		printf("%s\n", path);
		fflush(stdout);
		LLVMFuzzerTestOneInput(data, (size_t)size);
	}
	free(data);
	if (f)
		fclose(f);
	return size < 0;
}

static int run_dir(const char *path, DIR *dir, unsigned *count)
{
	const struct dirent *e;
	char file[4096];
	int bad = 0;

	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		bad |= run_file(file);
		++*count;
	}
	closedir(dir);
	return bad;
}

int main(int argc, char **argv)
{
	unsigned count = 0;
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);

		if (dir) {
			bad |= run_dir(argv[i], dir, &count);
		} else {
			bad |= run_file(argv[i]);
			count++;
		}
	}
	if (!count)
		fprintf(stderr, "no input\n");
	return bad || !count;
}
