/* fuzz_cmdline: the input is arguments, one per line. */
#include <errno.h>
#include "fuzz_jobs.h"
#include "strbuf.h"

static int load(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	if (!strcmp(path, "a.fio"))
		strbuf_puts(out, "[global]\nbs=8k\nhipri=0\nioengine=io_uring\n[a]\nsize=1m\n[b]\nthread\n");
	else if (!strcmp(path, "b.fio"))
		strbuf_puts(out, "[b1]\nrw=randrw\n[global]\ndirect=1\n[b2]\nrate=1m\n");
	else if (!strcmp(path, "-"))
		strbuf_puts(out, "[stdin]\n");
	else
		return -ENOENT;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *argv[ARGS_MAX], program[] = "fiord";
	char *text = malloc(size + 1);
	int argc = 1;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	argv[0] = program;
	for (char *s = text; *s && argc < ARGS_MAX;) {
		size_t n = strcspn(s, "\n");

		argv[argc++] = s;
		s += n + (s[n] == '\n');
		s[-1] = s[-1] == '\n' ? '\0' : s[-1];
	}
	run_command_line(&(struct jobfile_source){ .load = load }, argc, argv);
	free(text);
	return 0;
}
