/* tojob_check.c: refuses profiles that DISKSPD accepts and a job file cannot express. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "opt.h"
#include "tojob_section.h"

#define BLOCK_MAX   (1ull << 30) /* one system call moves less than 2 GiB */
#define COUNT_MAX   65536u
#define WEIGHT_MOST 65535u
#define SIZE_MOST   (UINT64_MAX / 4)
#define TIME_MAX    (100u * 365 * 24 * 3600)

unsigned section_cpu(const struct ds_cpu *c)
{
	return c->group * DS_GROUP_CPUS + (c->cpu == DS_CPU_ALL ? DS_GROUP_CPUS - 1 : c->cpu);
}

static int check_count(const char *flag, uint64_t n, struct diag *d)
{
	if (n <= COUNT_MAX)
		return 0;
	return diag_err(d, -EINVAL, "{~flag|%s%" PRIu64 "}: at most %u are possible", flag, n, COUNT_MAX);
}

static int check_time(const char *flag, unsigned s, struct diag *d)
{
	if (s <= TIME_MAX)
		return 0;
	return diag_err(d, -EINVAL, "{~flag|%s%u}: at most %u seconds (a hundred years) are possible", flag,
			s, TIME_MAX);
}

static int check_block(const struct ds_target *t, struct diag *d)
{
	if (t->block && t->block <= BLOCK_MAX)
		return 0;
	if (!t->block)
		return diag_err(d, -EINVAL,
				"{~flag|-b0}: a block must have at least one byte; write {~block|-b4K}");
	return diag_err(d, -EINVAL, "{~flag|-b%" PRIu64 "}: blocks of at most 1G are possible", t->block);
}

static int check_span_cpus(const struct ds_span *p, struct diag *d)
{
	for (size_t i = 0; i < p->ncpus; i++)
		if (section_cpu(&p->cpus[i]) >= CPUSET_MAX)
			return diag_err(
				d, -EINVAL,
				"{~flag|-ag%u}: CPU %u (groups have 64) is too high: fiord supports %u CPUs",
				p->cpus[i].group, section_cpu(&p->cpus[i]), CPUSET_MAX);
	return 0;
}

static int check_weights(const struct ds_span *p, const struct ds_target *t, struct diag *d)
{
	unsigned most = ds_target_weight(t);

	if (!p->threads)
		return 0;
	for (size_t i = 0; i < t->nthread_targets; i++)
		if (t->thread_targets[i].weight > most)
			most = t->thread_targets[i].weight;
	if (most <= WEIGHT_MOST)
		return 0;
	return diag_err(d, -EINVAL,
			"%s: Weight %u: at most %u is possible; weights 2 and 1 are the same as 20 and 10",
			t->path, most, WEIGHT_MOST);
}

static int check_sizes(const struct ds_target *t, struct diag *d)
{
	const struct {
		const char *flag;
		uint64_t bytes;
	} sizes[] = { { "-B", t->base },          { "-f", t->max_size },     { "-c", t->create_size },
		      { "-T", t->thread_stride }, { "-s or -r", t->stride }, { "-Z", t->pool_size } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (sizes[i].bytes > SIZE_MOST)
			return diag_err(d, -EINVAL,
					"{~flag|%s}: %" PRIu64 " bytes: at most 2^62 - 1 are possible",
					sizes[i].flag, sizes[i].bytes);
	return 0;
}

/* Checks the names that the job text copies from the line or profile. */
static int check_names(const struct section *s, struct diag *d)
{
	const struct ds_signals none = { 0 }, *e = s->cfg->line ? &s->cfg->line->signals : &none;
	const char *const names[] = { s->target->pool_file, e->start, e->finish, e->wait, e->stop };
	int err = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !err; i++)
		err = names[i] ? opt_path_check(names[i], d) : 0;
	return err;
}

static unsigned priority(const struct ds_target *t)
{
	return t->priority ? t->priority : 3;
}

/* All threads of a group use one engine. If it is mmap, they also share one priority and one flush mode. */
static int check_mapped(const struct section *s, struct diag *d)
{
	const struct ds_target *t = s->target, *other = s->span->targets;

	if (!section_grouped(s))
		return 0;
	if (other->mapped != t->mapped)
		return diag_err(d, -EINVAL,
				"{~flag|-Sm}: targets that share threads must be all mapped, or none of "
				"them: %s is mapped, %s is not",
				other->mapped ? other->path : t->path, other->mapped ? t->path : other->path);
	if (t->mapped && priority(other) != priority(t))
		return diag_err(d, -EINVAL,
				"{~flag|-I}: mapped targets that share threads must have the same priority: "
				"%s has %u, %s has %u",
				other->path, priority(other), t->path, priority(t));
	if (t->mapped && other->flush != t->flush)
		return diag_err(d, -EINVAL,
				"{~flag|-N}: mapped targets that share threads must have the same flush "
				"mode: %s and %s differ",
				t->path, other->path);
	return 0;
}

int section_limits(const struct section *s, struct diag *d)
{
	const struct ds_span *p = s->span;
	int err = check_block(s->target, d);

	err = err ? err : check_sizes(s->target, d);
	err = err ? err : check_span_cpus(p, d);

	err = err ? err : check_mapped(s, d);
	err = err ? err : check_count("-o", s->target->depth, d);
	err = err ? err : check_count("-O", p->requests, d);
	err = err ? err : check_count("-t", s->target->threads, d);
	err = err ? err : check_count("-F", p->threads, d);
	err = err ? err : check_time("-d", p->duration_s, d);
	err = err ? err : check_time("-W", p->warmup_s, d);
	err = err ? err : check_time("-C", p->cooldown_s, d);
	return err ? err : check_names(s, d);
}

int section_total(const struct ds_profile *p, struct diag *d)
{
	uint64_t n = 0;
	int err = 0;

	for (size_t i = 0; i < p->nspans; i++)
		for (size_t k = 0; k < p->spans[i].ntargets && !err; k++)
			err = check_weights(&p->spans[i], &p->spans[i].targets[k], d);
	for (size_t i = 0; i < p->nspans; i++)
		n += p->spans[i].threads ? (uint64_t)p->spans[i].threads * p->spans[i].ntargets
					 : ds_span_threads(&p->spans[i]);
	if (err || n <= COUNT_MAX)
		return err;
	return diag_err(d, -EINVAL,
			"{~flag|%s}: %" PRIu64 " threads for all targets together: at most %u are possible",
			p->spans[0].threads ? "-F" : "-t", n, COUNT_MAX);
}
