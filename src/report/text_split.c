#include "text.h"

#include <inttypes.h>
#include <string.h>
#include "readable.h"
#include "strbuf.h"

static void put_part(struct strbuf *b, const char *name, const struct result_split_part *part)
{
	if (!part->n)
		return;
	strbuf_printf(b, "     %-10s: avg=%s, p50=%s, p90=%s, p99=%s, p99.9=%s, max=%s\n", name,
		      readable_latency(part->mean).text, readable_latency((double)part->p50).text,
		      readable_latency((double)part->p90).text, readable_latency((double)part->p99).text,
		      readable_latency((double)part->p999).text, readable_latency((double)part->max).text);
}

static void put_tail(struct strbuf *b, const struct result_split_tail *t)
{
	if (!t->n)
		return;
	strbuf_printf(b, "     slowest 1%%: avg=%s, submission=%s, scheduler=%s, device=%s",
		      readable_latency(t->mean).text, readable_percent(t->submission_percent).text,
		      readable_percent(t->scheduler_percent).text, readable_percent(t->device_percent).text);
	if (t->has_completion)
		strbuf_printf(b, ", completion=%s", readable_percent(t->completion_percent).text);
	strbuf_putc(b, '\n');
}

static void put_split(struct strbuf *b, const struct result_split *row)
{
	strbuf_printf_plain(b, "  where on %s: ", row->disk);
	strbuf_printf(b, "%s, %" PRIu64 " request%s", row->dir, row->requests, row->requests == 1 ? "" : "s");
	if (row->requests_per_io > 0)
		strbuf_printf(b, ", %.2f per I/O", row->requests_per_io);
	if (row->measured < row->requests)
		strbuf_printf(b, ", %" PRIu64 " measured", row->measured);
	if (row->helper_requests)
		strbuf_printf(b, ", %" PRIu64 " by helper threads", row->helper_requests);
	strbuf_putc(b, '\n');
	put_part(b, "submission", &row->submission);
	put_part(b, "scheduler", &row->scheduler);
	put_part(b, "device", &row->device);
	put_part(b, "completion", &row->completion);
	if (row->completion_known && !row->completion.n)
		strbuf_printf(b, "     completion: avg=%s\n", readable_latency(row->completion.mean).text);
	put_tail(b, &row->tail);
}

/* Adds the others on the disk of entry `first`, and what share of its requests is theirs. Returns the next
 * one. */
static size_t put_others(struct strbuf *b, const struct result_job *j, size_t first)
{
	const char *disk = j->split_others[first].disk;
	size_t end = first;
	double percent = 0;

	for (; end < j->nsplit_others && !strcmp(j->split_others[end].disk, disk); end++)
		percent += j->split_others[end].percent;
	strbuf_printf_plain(b, "  others on %s: ", disk);
	strbuf_printf(b, "issued %s of the requests\n", readable_percent(percent).text);
	for (size_t i = first; i < end; i++) {
		const struct result_split_other *o = &j->split_others[i];

		strbuf_printf_plain(b, "     %s%s: ", o->kernel ? "the kernel's " : "", o->name);
		strbuf_printf(b, "%" PRIu64 " request%s (%s), %s\n", o->requests, o->requests == 1 ? "" : "s",
			      readable_percent(o->percent).text,
			      readable_bytes((double)o->bytes, &j->units).text);
	}
	return end;
}

void text_split(struct strbuf *b, const struct result_job *j)
{
	for (size_t i = 0; i < j->nsplits; i++)
		put_split(b, &j->splits[i]);
	for (size_t i = 0; i < j->nsplit_others;)
		i = put_others(b, j, i);
}
