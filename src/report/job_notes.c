#include "job_notes.h"

#include <string.h>

static bool has_note(const struct result_job *j, const char *line)
{
	for (size_t i = 0; i < j->notes.count; i++)
		if (!strcmp(j->notes.line[i], line))
			return true;
	return false;
}

static bool same_name(const struct result *r, size_t a, size_t b)
{
	return r->job[a]->name && r->job[b]->name && !strcmp(r->job[a]->name, r->job[b]->name);
}

bool job_note_printed(const struct result *r, size_t job, const char *line)
{
	size_t first = r->job[job]->hostname ? 0 : job ? job - 1 : 0;

	for (size_t i = first; i < job; i++)
		if (same_name(r, i, job) && has_note(r->job[i], line))
			return true;
	return false;
}

size_t job_note_hosts(const struct result *r, size_t job, const char *line)
{
	const char *host = r->job[job]->hostname;
	size_t n = 0;

	for (size_t i = job + 1; host && i < r->jobs; i++)
		n += r->job[i]->hostname && strcmp(r->job[i]->hostname, host) != 0 && same_name(r, i, job) &&
		     has_note(r->job[i], line);
	return n;
}
