#include "text.h"

#include <string.h>

static bool has_note(const struct result_job *j, const char *line)
{
	for (size_t i = 0; i < j->notes.count; i++)
		if (!strcmp(j->notes.line[i], line))
			return true;
	return false;
}

static bool same_job_name(const struct result *r, size_t a, size_t b)
{
	return r->jobs[a]->name && r->jobs[b]->name && !strcmp(r->jobs[a]->name, r->jobs[b]->name);
}

bool job_note_printed(const struct result *r, size_t job, const char *line)
{
	size_t first = r->jobs[job]->hostname ? 0 : job ? job - 1 : 0;

	for (size_t i = first; i < job; i++)
		if (same_job_name(r, i, job) && has_note(r->jobs[i], line))
			return true;
	return false;
}

size_t job_note_hosts(const struct result *r, size_t job, const char *line)
{
	const char *host = r->jobs[job]->hostname;
	size_t n = 0;

	for (size_t i = job + 1; host && i < r->njobs; i++)
		n += r->jobs[i]->hostname && strcmp(r->jobs[i]->hostname, host) != 0 &&
		     same_job_name(r, i, job) && has_note(r->jobs[i], line);
	return n;
}
