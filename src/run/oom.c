#include "processes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t oom_kills(void)
{
	FILE *f = fopen("/proc/vmstat", "re");
	uint64_t n = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "oom_kill %" SCNu64, &n) == 1)
			break;
	}
	if (f)
		fclose(f);
	return n;
}

void oom_score_raise(struct oom_score *o)
{
	static const char max[] = "1000";
	ssize_t n;

	o->fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	n = o->fd < 0 ? 0 : read(o->fd, o->saved, sizeof(o->saved));
	o->len = n > 0 && o->saved[0] != '-' ? (size_t)n : 0;
	if (o->len && pwrite(o->fd, max, sizeof(max) - 1, 0) < 0)
		o->len = 0;
}

void oom_score_restore(struct oom_score *o)
{
	if (o->len && pwrite(o->fd, o->saved, o->len, 0) < 0)
		o->len = 0; /* the parent keeps the score of its children */
	if (o->fd >= 0)
		close(o->fd);
}
