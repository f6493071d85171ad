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
	char buf[65536];
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int err = fd < 0 ? -errno : 0;

	while (!err) {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err = n < 0 ? -errno : 0;
			break;
		}
		strbuf_add(out, buf, (size_t)n);
		if (out->failed)
			err = -ENOMEM;
		else if (out->len > JOBFILE_BYTES_MAX)
			err = -EFBIG;
	}
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
