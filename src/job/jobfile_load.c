/* jobfile_load.c: reads the text of a job file. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "jobfile.h"
#include "strbuf.h"

int jobfile_load(const char *path, struct strbuf *out)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int err = fd < 0 ? -errno : strbuf_read(out, fd, JOBFILE_BYTES_MAX, false);

	if (fd > STDIN_FILENO)
		close(fd);
	return err;
}

static int load_file(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	return jobfile_load(path, out);
}

const struct jobfile_source jobfile_files = { .load = load_file };

bool jobfile_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}
