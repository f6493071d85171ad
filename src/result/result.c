#include "result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hosts.h"
#include "spans.h"
#include "strbuf.h"
#include "vec.h"

static const char *copy_text(struct result *r, const char *text)
{
	char *copy = text ? arena_strdup(&r->mem, text) : NULL;

	if (text && !copy)
		r->failed = true;
	return copy;
}

static const struct result_opt *copy_options(struct result *r, const struct result_opt *opt, size_t n)
{
	struct result_opt *copy;

	if (!n)
		return NULL;
	copy = arena_array(&r->mem, n, sizeof(*copy));
	if (!copy) {
		r->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		copy[i].name = copy_text(r, opt[i].name);
		copy[i].value = copy_text(r, opt[i].value ? opt[i].value : "");
	}
	return copy;
}

void result_init(struct result *r, const char *program, const char *version, const char *fio_version)
{
	memset(r, 0, sizeof(*r));
	r->program = copy_text(r, program);
	r->version = copy_text(r, version);
	r->fio_version = copy_text(r, fio_version);
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->jobs; i++)
		notes_fini(&r->job[i]->notes);
	free(r->job);
	free(r->group);
	free(r->disk);
	free(r->hosts.v);
	free(r->verdicts.v);
	result_free_targets(r);
	series_fini(&r->series.data);
	notes_fini(&r->notes);
	arena_fini(&r->mem);
	memset(r, 0, sizeof(*r));
}

/* Quotes an argument as a shell needs it. */
static void put_word(struct strbuf *b, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";

	if (*word && word[strspn(word, plain)] == '\0') {
		strbuf_puts(b, word);
		return;
	}
	strbuf_putc(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_puts(b, "'\\''");
		else
			strbuf_putc(b, *word);
	}
	strbuf_putc(b, '\'');
}

void result_command(struct result *r, int argc, char *const *argv)
{
	struct strbuf b = { 0 };

	for (int i = 0; i < argc; i++) {
		if (i)
			strbuf_putc(&b, ' ');
		put_word(&b, argv[i]);
	}
	r->command = copy_text(r, strbuf_str(&b));
	r->failed = r->failed || b.failed;
	strbuf_fini(&b);
}

void result_globals(struct result *r, const struct result_opt *opt, size_t n)
{
	r->global = copy_options(r, opt, n);
	r->globals = r->global ? n : 0;
}

struct result_job result_job_mixed(const struct result_job *job)
{
	struct result_job all = *job;

	memset(all.sum.dir, 0, sizeof(all.sum.dir));
	memset(all.bins, 0, sizeof(all.bins));
	memcpy(all.bins[DIR_READ], job->bins_both, sizeof(job->bins_both));
	memset(all.prios, 0, sizeof(all.prios));
	all.sum.dir[DIR_READ] = job->sum_both;
	all.mixed = true;
	return all;
}

static const uint64_t *copy_numbers(struct result *r, const uint64_t *v, size_t n)
{
	uint64_t *copy = n ? arena_array(&r->mem, n, sizeof(*copy)) : NULL;

	if (n && !copy)
		r->failed = true;
	else if (n)
		memcpy(copy, v, n * sizeof(*copy));
	return copy;
}

static void copy_bins(struct result *r, struct result_bins *b)
{
	b->ns = copy_numbers(r, b->ns, b->n);
	b->count = copy_numbers(r, b->count, b->n);
	if (!b->ns || !b->count)
		b->n = 0;
}

static const struct result_prio *copy_prios(struct result *r, const struct result_prio *v, unsigned *n)
{
	struct result_prio *copy = *n ? arena_array(&r->mem, *n, sizeof(*copy)) : NULL;

	if (*n && !copy) {
		r->failed = true;
		*n = 0;
	}
	for (unsigned i = 0; i < *n; i++) {
		copy[i] = v[i];
		copy_bins(r, &copy[i].bins);
	}
	return copy;
}

void result_job_steady(struct result *r, struct result_job *job, const struct result_steady *steady)
{
	struct result_steady *s = &job->steady;

	*s = *steady;
	s->ss = copy_text(r, s->ss);
	s->criterion = copy_text(r, s->criterion);
	s->iops = copy_numbers(r, s->iops, s->iops ? s->samples : 0);
	s->bw = copy_numbers(r, s->bw, s->bw ? s->samples : 0);
	s->lat = copy_numbers(r, s->lat, s->lat ? s->samples : 0);
}

void result_job_latency_target(struct result *r, struct result_job *job,
			       const struct result_latency_target *search)
{
	struct result_latency_target *to = &job->latency_target;
	struct result_depth_step *copy;

	*to = *search;
	to->step = NULL;
	if (!search->steps)
		return;
	copy = arena_array(&r->mem, search->steps, sizeof(*copy));
	if (!copy) {
		to->steps = 0;
		r->failed = true;
		return;
	}
	memcpy(copy, search->step, search->steps * sizeof(*copy));
	to->step = copy;
}

void result_job_rate_steps(struct result *r, struct result_job *job, const struct result_rate_steps *steps)
{
	struct result_rate_step *copy =
		steps->steps ? arena_array(&r->mem, steps->steps, sizeof(*copy)) : NULL;

	job->rate_steps = *steps;
	job->rate_steps.step = copy;
	if (!copy) {
		r->failed |= steps->steps != 0;
		job->rate_steps.steps = 0;
		return;
	}
	memcpy(copy, steps->step, steps->steps * sizeof(*copy));
	for (size_t i = 0; i < steps->steps; i++)
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			for (unsigned kind = 0; kind < STEP_LATS; kind++)
				copy_bins(r, &copy[i].dir[dir].lat[kind].bins);
}

struct result_job *result_add_job(struct result *r, const struct result_job *job)
{
	struct result_job *j = arena_alloc(&r->mem, sizeof(*j));
	struct {
		struct result_job **v;
		size_t n, cap;
	} list = { r->job, r->jobs, r->jobs_cap };

	if (!j || !VEC_PUSH(&list, j)) {
		r->failed = true;
		return NULL;
	}
	r->job = list.v;
	r->jobs = list.n;
	r->jobs_cap = list.cap;
	*j = *job;
	j->name = copy_text(r, job->name);
	j->description = copy_text(r, job->description);
	j->hostname = copy_text(r, job->hostname);
	j->error_text = copy_text(r, job->error_text);
	j->lost_reason = copy_text(r, job->lost_reason);
	j->rw = copy_text(r, job->rw);
	j->bs = copy_text(r, job->bs);
	j->engine = copy_text(r, job->engine);
	j->option = copy_options(r, job->option, job->options);
	j->options = j->option ? job->options : 0;
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			copy_bins(r, &j->bins[dir][kind]);
		copy_bins(r, &j->bins_both[kind]);
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		j->prio[dir] = copy_prios(r, j->prio[dir], &j->prios[dir]);
	result_job_steady(r, j, &job->steady);
	result_job_latency_target(r, j, &job->latency_target);
	result_job_rate_steps(r, j, &job->rate_steps);
	j->files = (struct result_files){ 0 };
	j->lost_io = NULL;
	j->lost_ios = j->lost_ios_cap = 0;
	j->verify.known_by = copy_text(r, job->verify.known_by);
	j->verify.damage = NULL;
	j->verify.damages = j->verify.damages_cap = 0;
	j->notes = (struct notes){ 0 };
	notes_copy(&j->notes, &job->notes);
	return j;
}

void result_job_lost_io(struct result *r, struct result_job *job, const struct result_lost_io *io)
{
	if (job->lost_ios == job->lost_ios_cap) {
		unsigned cap = job->lost_ios_cap ? 2 * job->lost_ios_cap : 16;
		struct result_lost_io *v = arena_alloc(&r->mem, cap * sizeof(*v));

		if (!v) {
			r->failed = true;
			return;
		}
		if (job->lost_ios)
			memcpy(v, job->lost_io, job->lost_ios * sizeof(*v));
		job->lost_io = v;
		job->lost_ios_cap = cap;
	}
	job->lost_io[job->lost_ios] = *io;
	job->lost_io[job->lost_ios].op = copy_text(r, io->op);
	job->lost_io[job->lost_ios++].file = copy_text(r, io->file);
}

void result_job_damage(struct result *r, struct result_job *job, const struct result_damage *damage)
{
	struct result_verify *v = &job->verify;
	struct result_damage *to;

	if (v->damages == v->damages_cap) {
		unsigned cap = v->damages_cap ? 2 * v->damages_cap : 16;

		to = arena_alloc(&r->mem, cap * sizeof(*to));
		if (!to) {
			r->failed = true;
			return;
		}
		if (v->damages)
			memcpy(to, v->damage, v->damages * sizeof(*to));
		v->damage = to;
		v->damages_cap = cap;
	}
	to = &v->damage[v->damages++];
	*to = *damage;
	to->file = copy_text(r, damage->file);
	to->kind = copy_text(r, damage->kind);
	to->expected = copy_text(r, damage->expected);
	to->found = copy_text(r, damage->found);
	to->text = copy_text(r, damage->text);
}

void result_set_idle(struct result *r, const struct result_idle *idle)
{
	r->idle = *idle;
	r->idle.cpu = arena_array(&r->mem, idle->cpus + 1, sizeof(*idle->cpu));
	if (!r->idle.cpu)
		r->failed = true;
	else if (idle->cpus)
		memcpy(r->idle.cpu, idle->cpu, idle->cpus * sizeof(*idle->cpu));
}

void result_add_disk(struct result *r, const struct result_disk *disk)
{
	struct {
		struct result_disk *v;
		size_t n, cap;
	} list = { r->disk, r->disks, r->disks_cap };

	if (!VEC_PUSH(&list, *disk)) {
		r->failed = true;
		return;
	}
	list.v[list.n - 1].name = copy_text(r, disk->name);
	r->disk = list.v;
	r->disks = list.n;
	r->disks_cap = list.cap;
}

static void add_note(struct notes *n, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
static void add_note(struct notes *n, const char *fmt, va_list ap)
{
	struct strbuf b = { 0 };

	message_vprintf(&b, fmt, ap);
	if (b.len)
		notes_add_message(n, b.text);
	strbuf_fini(&b);
}

void result_note(struct result *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_note(&r->notes, fmt, ap);
	va_end(ap);
}

void result_job_note(struct result_job *job, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_note(&job->notes, fmt, ap);
	va_end(ap);
}

void result_spell(struct result *r, const struct speller *s)
{
	notes_spell(&r->notes, s);
	for (size_t i = 0; i < r->jobs; i++)
		notes_spell(&r->job[i]->notes, s);
}

/* Returns the rank of an exit code. The code with the lowest rank becomes the exit code of the program. */
static unsigned code_rank(int code)
{
	static const int order[] = { 2, 3, 4, 1, 6 };
	const unsigned n = sizeof(order) / sizeof(order[0]);

	for (unsigned i = 0; i < n; i++) {
		if (code == order[i])
			return i;
	}
	return code > 128 ? n : code ? n + 1 : n + 2;
}

unsigned result_job_namesakes(const struct result *r, size_t job)
{
	unsigned n = 0;

	for (size_t i = 0; i < job; i++)
		n += !strcmp(r->job[i]->name, r->job[job]->name);
	return n;
}

bool result_add_verdict(struct result *r, const struct result_verdict *v)
{
	return VEC_PUSH(&r->verdicts, *v);
}

void result_exit_code(struct result *r, int code)
{
	struct result_exit *e = &r->exit;
	unsigned at;

	if (!code)
		return;
	for (unsigned i = 0; i < e->count; i++) {
		if (e->all[i] == code)
			return;
	}
	if (e->count == RESULT_CODES)
		return;
	for (at = e->count++; at > 0 && code_rank(e->all[at - 1]) > code_rank(code); at--)
		e->all[at] = e->all[at - 1];
	e->all[at] = code;
	e->code = e->all[0];
}

void result_interrupted(struct result *r, int sig, uint64_t ran_ns)
{
	r->exit.signal = sig;
	r->exit.ran_ns = ran_ns;
	result_exit_code(r, 128 + sig);
}
