/* fuzz_jobfile: the input is a job file. */
#include <errno.h>
#include "fuzz_jobs.h"
#include "strbuf.h"

static const char *text;
static size_t text_len;

static int load(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	if (!strcmp(path, "fuzz"))
		strbuf_add(out, text, text_len);
	else if (!strcmp(path, "inc"))
		strbuf_puts(out, "bs=8k\ninclude sub/inc2\n");
	else if (!strcmp(path, "sub/inc2"))
		strbuf_puts(out, "iodepth=2\nioengine=null\n");
	else
		return -ENOENT;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "fiord", file[] = "fuzz";
	char *argv[] = { program, file, NULL };

	text = (const char *)data;
	text_len = size;
	run_command_line(&(struct jobfile_source){ .load = load }, 2, argv);
	return 0;
}
