/* hostile_values.c: passes JSON documents to a fuzz target, each time with another value replaced by a
   hostile one: a wrong type, a number beyond every limit, text that terminals obey. It takes the place of
   driver.c. Arguments: STEP FILE... Every STEP-th replacement is tried; four times as many with THOROUGH=1.
   With PAIR=1 the document as it was follows, behind a NUL. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const hostile[] = {
	"1e308",
	"-1e308",
	"1e91",
	"5e-324",
	"-1",
	"0",
	"0.5",
	"18446744073709551615",
	"9223372036854775808",
	"4294967296",
	"1e19",
	"null",
	"true",
	"[]",
	"{}",
	"[{}]",
	"[[1e308]]",
	"\"\"",
	"\"\\u001b[2J\\u009b31m\\u202egnp\\u2066\"",
	"\"\033[2J\302\23331m\342\200\256x\"",
	"\"1e308\"",
	"\"-1\"",
	"\"%s%n\"",
	"\"../../x\"",
};
#define HOSTILES (sizeof(hostile) / sizeof(*hostile))

struct text {
	char *at;
	size_t len;
};

static struct text whole_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct text t = { malloc(1 << 20), 0 };

	if (!f || !t.at) {
		perror(path);
		exit(1);
	}
	t.len = fread(t.at, 1, 1 << 20, f);
	fclose(f);
	return t;
}

static size_t string_end(const struct text *t, size_t at)
{
	for (at++; at < t->len && t->at[at] != '"'; at++)
		at += t->at[at] == '\\';
	return at + 1;
}

/* Returns the end of the value that begins at `at`. */
static size_t value_end(const struct text *t, size_t at)
{
	int depth = 0;

	do {
		if (t->at[at] == '"') {
			at = string_end(t, at);
			continue;
		}
		depth += (t->at[at] == '{' || t->at[at] == '[') - (t->at[at] == '}' || t->at[at] == ']');
		at++;
	} while (at < t->len && (depth > 0 || !strchr(",]} \n\t", t->at[at])));
	return at < t->len ? at : t->len;
}

static void with_value(const struct text *t, size_t from, size_t to, const char *value)
{
	size_t len = strlen(value), changed = t->len - (to - from) + len;
	size_t all = changed + (getenv("PAIR") ? 1 + t->len : 0);
	uint8_t *data = malloc(all);

	if (!data)
		exit(1);
	memcpy(data, t->at, from);
	memcpy(data + from, value, len);
	memcpy(data + from + len, t->at + to, t->len - to);
	if (all > changed) {
		data[changed] = '\0';
		memcpy(data + changed + 1, t->at, t->len);
	}
	LLVMFuzzerTestOneInput(data, all);
	free(data);
}

/* Names the replacement before it is tried, so that a crash is found again. */
static void try_value(const char *path, const struct text *t, size_t at, const char *value)
{
	static char name[512];

	snprintf(name, sizeof(name), "%s: byte %zu: %.60s\n", path, at, value);
	if (getenv("VERBOSE")) {
		fputs(name, stdout);
		fflush(stdout);
	}
	with_value(t, at, value_end(t, at), value);
}

static unsigned long one_document(const char *path, unsigned long step, unsigned long *count)
{
	struct text t = whole_file(path);
	unsigned long tried = 0;

	for (size_t at = 1; at < t.len;) {
		if (t.at[at] == '"') {
			size_t end = string_end(&t, at);

			if (end < t.len && strchr(" :", t.at[end])) {
				at = end;
				continue;
			}
		} else if (strchr(" \n\t:,]}", t.at[at])) {
			at++;
			continue;
		}
		for (size_t i = 0; i < HOSTILES; i++) {
			if ((*count)++ % step)
				continue;
			try_value(path, &t, at, hostile[i]);
			tried++;
		}
		at = t.at[at] == '{' || t.at[at] == '[' ? at + 1 : value_end(&t, at);
	}
	free(t.at);
	return tried;
}

int main(int argc, char **argv)
{
	unsigned long step = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, count = 0;

	if (argc < 3 || !step) {
		fprintf(stderr, "usage: STEP FILE...\n");
		return 2;
	}
	if (getenv("THOROUGH") && strcmp(getenv("THOROUGH"), "0") != 0)
		step = (step + 3) / 4;
	for (int i = 2; i < argc; i++) {
		unsigned long tried = one_document(argv[i], step, &count);

		printf("%s: %lu replacements\n", argv[i], tried);
		if (!tried)
			return 1;
	}
	return 0;
}
