#include "resolve.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "rules.h"
#include "strbuf.h"

#define JOBS_MAX 65536

const char *const rule_dirs[DIR_DATA] = { "reads", "writes", "trims" };

/* "jobs/db.fio:12: bs=4q" or "--bs=4q"; without such an option the section. */
static void name_option(const struct job *job, const char *name, struct strbuf *out)
{
	const struct opt_given *g = job_given(job, name);
	const struct place *at = g ? &g->at : &job->at;

	if (at->line)
		strbuf_printf(out, "%s:%u: ", at->file, at->line);
	if (!g)
		strbuf_printf(out, at->line ? "[%.80s]" : "--name=%.80s", job->name);
	else
		strbuf_printf(out, "%s%s%s%.80s", at->line ? "" : "--", g->name, g->text ? "=" : "",
			      g->text ? g->text : "");
}

/* "FILE:LINE: option=value: " and what is said of it. */
__attribute__((format(printf, 4, 0))) static void word(const struct rules *r, struct strbuf *out,
						       const char *option, const char *fmt, va_list ap)
{
	name_option(r->job, option, out);
	strbuf_puts(out, ": ");
	strbuf_vprintf(out, fmt, ap);
}

int refuse(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	word(r, &b, option, fmt, ap);
	va_end(ap);
	diag_err(r->d, -EINVAL, "%s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

void note(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	word(r, &b, option, fmt, ap);
	va_end(ap);
	notes_add(&r->set->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

const struct opt_given *own(const struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->job->own.n; i++)
		if (!strcmp(r->job->own.v[i].name, name))
			return &r->job->own.v[i];
	return NULL;
}

int resolve_count(struct job_set *set, struct diag *d)
{
	uint32_t most = set->run.max_jobs ? set->run.max_jobs : JOBS_MAX;
	uint64_t total = 0;
	int err;

	for (size_t i = 0; i < set->njobs; i++) {
		struct rules r = { .set = set, .job = &set->jobs[i], .d = d };

		total += set->jobs[i].opts.group.numjobs;
		if (total > most)
			return refuse(&r, "numjobs", "makes %" PRIu64 " jobs; at most %u are allowed%s",
				      total, most, set->run.max_jobs ? " (--max-jobs)" : "");
	}
	err = rule_thread_groups(set, d);
	return err ? err : rule_events(set, d);
}

int resolve_job(struct job_set *set, struct job *job, struct diag *d)
{
	static int (*const rules[])(struct rules *) = {
		/* clang-format off */
		rule_place,
		rule_memory,
		rule_user,
		rule_cgroup,
		rule_directions,
		rule_trims,
		rule_block_sizes,
		rule_distribution,
		rule_no_data,
		rule_no_io,
		rule_direct,
		rule_written,
		rule_offset,
		rule_files,
		rule_creation,
		rule_fill,
		rule_cache,
		rule_clones,
		rule_offload, rule_depth,
		rule_time,
		rule_renewal,
		rule_rates,
		rule_think,
		rule_gather,
		rule_mix,
		rule_sync,
		rule_dedupe,
		rule_contents,
		rule_measure,
		rule_diskspd,
		rule_clocks,
		rule_logs,
		/* clang-format on */
	};
	struct rules r = { .set = set, .job = job, .o = &job->opts, .d = d };
	int err = 0;

	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]) && !err; i++)
		err = rules[i](&r);
	return err;
}
