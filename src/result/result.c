#include "result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "exit_code.h"
#include "figures.h"
#include "hosts.h"
#include "spans.h"
#include "strbuf.h"
#include "vec.h"

const char *result_copy_text(struct result *r, const char *text)
{
	char *copy = text ? arena_strdup(&r->mem, text) : NULL;

	if (text && !copy)
		r->failed = true;
	return copy;
}

void *result_copy_array(struct result *r, const void *v, size_t n, size_t bytes)
{
	void *copy = v && n ? arena_array(&r->mem, n, bytes) : NULL;

	if (copy)
		memcpy(copy, v, n * bytes);
	r->failed |= v && n && !copy;
	return copy;
}

static void copy_bins(struct result *r, struct result_bins *bins)
{
	bins->ns = result_copy_array(r, bins->ns, bins->n, sizeof(*bins->ns));
	bins->count = result_copy_array(r, bins->count, bins->n, sizeof(*bins->count));
	if (!bins->ns || !bins->count)
		bins->n = 0;
}

static void copy_list(struct result *r, const struct figure *f, void *of)
{
	char **array = (char **)((char *)of + f->offset);
	size_t n = figure_length(f, of);

	*array = result_copy_array(r, *array, n, f->list.bytes);
	if (!*array && n)
		figure_set_length(f, of, 0);
	for (size_t i = 0; *array && f->list.rows && i < n; i++)
		result_copy_figures(r, f->list.rows, *array + i * f->list.bytes);
}

void result_copy_figures(struct result *r, const struct figure *rows, void *of)
{
	for (const struct figure *f = rows; f->name; f++) {
		const char **text = (const char **)((char *)of + f->offset);

		if (f->type == FIGURE_TEXT)
			*text = result_copy_text(r, *text);
		else if (f->type == FIGURE_LIST || f->type == FIGURE_COLUMN)
			copy_list(r, f, of);
		else if (f->type == FIGURE_BINS)
			copy_bins(r, (struct result_bins *)text);
	}
}

/* The room of a list doubles whenever its length is a power of two. */
void result_add_entry(struct result *r, const struct figure *list, void *of, const void *entry)
{
	char **array = (char **)((char *)of + list->offset), *v = *array;
	size_t n = figure_length(list, of), bytes = list->list.bytes;

	if (!(n & (n - 1))) {
		v = arena_array(&r->mem, n ? 2 * n : 1, bytes);
		if (v && n)
			memcpy(v, *array, n * bytes);
	}
	if (!v) {
		r->failed = true;
		return;
	}
	memcpy(v + n * bytes, entry, bytes);
	if (list->list.rows)
		result_copy_figures(r, list->list.rows, v + n * bytes);
	*array = v;
	figure_set_length(list, of, n + 1);
}

void result_init(struct result *r, const char *program, const char *version, const char *fio_version)
{
	memset(r, 0, sizeof(*r));
	r->program = result_copy_text(r, program);
	r->version = result_copy_text(r, version);
	r->fio_version = result_copy_text(r, fio_version);
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->njobs; i++)
		notes_fini(&r->jobs[i]->notes);
	free(r->jobs);
	free(r->groups);
	free(r->disks);
	free(r->hosts.v);
	free(r->verdicts.v);
	result_free_targets(r);
	series_fini(&r->series.data);
	notes_fini(&r->notes);
	arena_fini(&r->mem);
	memset(r, 0, sizeof(*r));
}

void result_command(struct result *r, int argc, char *const *argv)
{
	struct strbuf b = { 0 };

	for (int i = 0; i < argc; i++) {
		if (i)
			strbuf_putc(&b, ' ');
		strbuf_quoted(&b, argv[i]);
	}
	r->command = result_copy_text(r, strbuf_str(&b));
	r->failed = r->failed || b.failed;
	strbuf_fini(&b);
}

void result_globals(struct result *r, const struct result_opt *opt, size_t n)
{
	r->globals = result_copy_options(r, opt, n);
	r->nglobals = r->globals ? n : 0;
}

bool result_same_options(const struct result_opt *a, size_t na, const struct result_opt *b, size_t nb)
{
	for (size_t i = 0; na == nb && i < na; i++)
		if (strcmp(a[i].name, b[i].name) != 0 || strcmp(a[i].value, b[i].value) != 0)
			return false;
	return na == nb;
}

void result_set_idle(struct result *r, const struct result_idle *idle)
{
	r->idle = *idle;
	r->idle.cpus = result_copy_array(r, idle->cpus, idle->ncpus, sizeof(*idle->cpus));
	r->idle.ncpus = r->idle.cpus ? idle->ncpus : 0;
}

void result_add_disk(struct result *r, const struct result_disk *disk)
{
	if (VEC_ADD(r->disks, r->ndisks, r->disks_cap, *disk))
		result_copy_figures(r, figures_disk, &r->disks[r->ndisks - 1]);
	else
		r->failed = true;
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
	for (size_t i = 0; i < r->njobs; i++)
		notes_spell(&r->jobs[i]->notes, s);
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
	return code > 128 ? n : code == EXIT_UNCHECKED ? n + 1 : code ? n + 2 : n + 3;
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
