#include "tojob.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tojob_section.h"
#include "vec.h"

struct sections {
	struct section *v;
	size_t n, cap;
};

/* ---- sections ---- */

/* "pool", "pool-2" */
static bool is_numbered(const char *name, const char *plain, size_t n)
{
	if (strncmp(name, plain, n))
		return false;
	return !name[n] || (name[n] == '-' && !name[n + 1 + strspn(name + n + 1, "0123456789")]);
}

/* What a section is called: the file's name, without what has a meaning in job files. */
static void name_section(struct section *s, const struct sections *before, bool spans)
{
	const char *slash = strrchr(s->target->path, '/');
	const char *base = section_files(s) > 1 ? "pool" : slash && slash[1] ? slash + 1 : s->target->path;
	char plain[64];
	unsigned n = 0, again = 1;

	for (; base[n] && n + 1 < sizeof(plain); n++)
		plain[n] = strchr("[];#$ \t\r\n", base[n]) ? '_' : base[n];
	plain[n] = '\0';
	if (spans || !strncmp(plain, "global", 6))
		snprintf(s->name, sizeof(s->name), "span%zu.%s", s->span_number, plain);
	else
		snprintf(s->name, sizeof(s->name), "%s", plain);
	n = (unsigned)strlen(s->name);
	for (size_t i = 0; i < before->n; i++)
		again += is_numbered(before->v[i].name, s->name, n);
	if (again > 1)
		snprintf(s->name + n, sizeof(s->name) - n, "-%u", again);
	for (size_t i = 0; i < before->n; i++) {
		if (strcmp(before->v[i].name, s->name))
			continue;
		snprintf(s->name + n, sizeof(s->name) - n, "-%u", ++again);
		i = (size_t)-1;
	}
}

static bool for_some_threads(const struct ds_span *s)
{
	bool some = false;

	for (size_t i = 0; i < s->targets; i++)
		some = some || s->target[i].thread_targets;
	return some;
}

/* Threads from this one on that use the same targets as often. */
static unsigned threads_alike(const struct ds_span *s, unsigned thread)
{
	unsigned n = 1;

	if (!for_some_threads(s))
		return s->threads;
	for (; thread + n < s->threads; n++)
		for (size_t i = 0; i < s->targets; i++)
			if (ds_thread_weight(&s->target[i], thread + n) !=
			    ds_thread_weight(&s->target[i], thread))
				return n;
	return n;
}

static const struct ds_target *first_used(const struct ds_span *s, unsigned thread)
{
	for (size_t i = 0; i < s->targets; i++)
		if (ds_thread_weight(&s->target[i], thread))
			return &s->target[i];
	return NULL;
}

static bool uses_alike(const struct ds_span *s, unsigned thread)
{
	const struct ds_target *first = first_used(s, thread);

	for (size_t i = 0; i < s->targets; i++)
		if (ds_thread_weight(&s->target[i], thread) && !ds_same_load(&s->target[i], first))
			return false;
	return true;
}

static uint64_t end_here(const struct section *like, const struct ds_target *t)
{
	struct section s = *like;
	uint64_t size;

	s.target = t;
	size = ds_creates_file(t) ? 0 : section_size(&s);
	return size && size < t->max_size ? size : t->max_size;
}

/* The files of a section have one length of range; -f may be more than some of them hold. */
static bool ends_alike(const struct section *like)
{
	const struct ds_span *s = like->span;

	for (size_t i = 1; i < s->targets; i++)
		if (end_here(like, &s->target[i]) != end_here(like, &s->target[0]))
			return false;
	return true;
}

/* -F over several targets that are alike is one section with several files, or one for those threads that use
   the same of them. Starts of a thread count all threads, though. */
static bool is_pool(const struct section *like)
{
	const struct ds_span *s = like->span;
	bool some = for_some_threads(s), alike = s->threads && (s->targets > 1 || some);

	if (!s->requests)
		alike = alike && !like->cfg->for_fio && !some;
	for (size_t i = 0; alike && some && i < s->targets; i++)
		alike = !s->target[i].thread_stride;
	for (unsigned thread = 0; alike && thread < s->threads; thread += threads_alike(s, thread))
		alike = uses_alike(s, thread);
	return alike && ends_alike(like);
}

static int add_section(struct sections *l, const struct section *like, bool spans, struct diag *d)
{
	struct section s = *like;
	int err;

	name_section(&s, l, spans);
	err = section_lines(&s, d);
	if (!err && s.bad_character)
		err = diag_err(d, -EINVAL, "a line break or another control character cannot be in a job");
	if (!err && (s.no_memory || !VEC_PUSH(l, s)))
		err = diag_err(d, -ENOMEM, "out of memory for the job");
	if (err)
		free(s.line.v);
	return err;
}

/* In the order of the threads, whose turn to get a processor it is. */
static int add_pool(struct sections *l, const struct section *like, bool spans, struct diag *d)
{
	bool begun = false;
	int err = 0;

	for (unsigned thread = 0, n; thread < like->span->threads && !err; thread += n) {
		struct section s = *like;

		n = threads_alike(s.span, thread);
		s.target = first_used(s.span, thread);
		s.first_thread = thread;
		s.threads = n;
		if (!s.target) {
			section_note(
				&s,
				"ThreadTargets: %u threads, from number %u on, have no target and do nothing",
				n, thread);
			continue;
		}
		if (s.span_number > 1 && !begun)
			section_line_local(&s, "stonewall");
		begun = true;
		err = add_section(l, &s, spans, d);
	}
	return err;
}

static int add_span(struct sections *l, const struct ds_profile *p, size_t i, struct section *like,
		    struct diag *d)
{
	const struct ds_span *span = &p->span[i];
	int err = 0;

	like->profile = p;
	like->span = span;
	like->span_number = i + 1;
	like->pool = is_pool(like);
	if (like->pool)
		return add_pool(l, like, p->spans > 1, d);
	for (size_t k = 0; k < span->targets && !err; k++) {
		struct section s = *like;

		s.target = &span->target[k];
		if (i && !k)
			section_line_local(&s, "stonewall");
		err = add_section(l, &s, p->spans > 1, d);
	}
	return err;
}

static bool has_line(const struct section *s, const char *text)
{
	for (size_t i = 0; i < s->line.n; i++)
		if (!s->line.v[i].section_only && !strcmp(s->line.v[i].text, text))
			return true;
	return false;
}

static bool is_common(const struct sections *l, const struct job_line *line)
{
	bool common = !line->section_only;

	for (size_t i = 1; common && i < l->n; i++)
		common = has_line(&l->v[i], line->text);
	return common;
}

/* Lines of the first section that all sections have. */
static void find_common(const struct sections *l)
{
	const struct section *first = &l->v[0];

	for (size_t k = 0; k < first->line.n; k++)
		first->line.v[k].in_global = is_common(l, &first->line.v[k]);
}

static bool is_told(const struct sections *l, const char *text)
{
	const struct section *first = &l->v[0];

	for (size_t k = 0; k < first->line.n; k++)
		if (first->line.v[k].in_global && !strcmp(first->line.v[k].text, text))
			return true;
	return false;
}

static void put_section(const struct sections *l, const struct section *s, struct strbuf *out)
{
	strbuf_printf(out, "\n[%s]\n", s->name);
	for (size_t i = 0; i < s->line.n; i++)
		if (s->line.v[i].section_only || !is_told(l, s->line.v[i].text))
			strbuf_printf(out, "%s\n", s->line.v[i].text);
}

/* A comment of several lines at most, each with its sign. */
static void put_comment(struct strbuf *out, const char *before, const char *text)
{
	strbuf_printf(out, "; %s", before);
	for (; *text; text++) {
		if (*text == '\n' || *text == '\r')
			strbuf_puts(out, "\n; ");
		else
			strbuf_putc(out, *text);
	}
	strbuf_putc(out, '\n');
}

static void put_job(const struct sections *l, const struct ds_job_cfg *cfg, struct ds_job *out)
{
	struct strbuf *b = &out->text;

	if (cfg->command)
		put_comment(b, "", cfg->command);
	strbuf_puts(b, "[global]\n");
	find_common(l);
	for (size_t i = 0; i < l->v[0].line.n; i++)
		if (l->v[0].line.v[i].in_global)
			strbuf_printf(b, "%s\n", l->v[0].line.v[i].text);
	for (size_t i = 0; i < l->n; i++)
		put_section(l, &l->v[i], b);
	if (out->notes.count || out->losses.count)
		strbuf_putc(b, '\n');
	for (size_t i = 0; i < out->notes.count; i++)
		put_comment(b, "", out->notes.line[i]);
	for (size_t i = 0; i < out->losses.count; i++)
		put_comment(b, "not carried: ", out->losses.line[i]);
}

/* Of -e, what a report counts has a counterpart here. */
static void note_events(struct section *like, const struct ds_profile *p)
{
	static const char etw[] = "is about ETW, and there is none here";
	static const struct {
		enum ds_event event;
		const char *flag, *why;
	} none[] = {
		{ DS_EV_IMAGE_LOAD, "-eIMAGE_LOAD", "is not counted: the kernel does not" },
		{ DS_EV_REGISTRY, "-eREGISTRY", "is not counted: there is no registry here" },
		{ DS_EV_PAGED, "-ep", etw },
		{ DS_EV_PERF_TIMER, "-eq", etw },
		{ DS_EV_SYSTEM_TIMER, "-es", etw },
		{ DS_EV_CYCLES, "-ec", etw },
	};

	for (size_t i = 0; like->cfg->diskspd_report && i < sizeof(none) / sizeof(*none); i++)
		if (p->event[none[i].event])
			section_note(like, "{~flag|%s}: %s", none[i].flag, none[i].why);
}

/* What belongs to the whole run stands in every section, and so in [global]. */
static void begin(struct section *like, const struct ds_profile *p)
{
	static const char *const about[] = { "-P", "-v", "-e", "-:" };
	bool own = like->cfg->diskspd_report;
	const bool said[] = { p->progress_ios && !own, p->verbose && !own, p->any_event && !own,
			      p->experiment_flags };

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (said[i])
			section_note(like,
				     "{~flag|%s}: is about DISKSPD's own report, and changes nothing here",
				     about[i]);
	note_events(like, p);
	if (p->precreate && p->spans > 1)
		section_note(like,
			     "PrecreateFiles: each file is made before the time span that uses it first");
}

int ds_to_job(const struct ds_profile *p, const struct ds_job_cfg *cfg, struct ds_job *out, struct diag *d)
{
	struct section like = { .cfg = cfg, .out = out };
	struct sections l = { 0 };
	int err = section_total(p, d);

	begin(&like, p);
	for (size_t i = 0; i < p->spans && !err; i++)
		err = add_span(&l, p, i, &like, d);
	if (!err && !l.n)
		err = diag_err(d, -EINVAL, "there is no target");
	out->sections = l.n;
	if (!err)
		put_job(&l, cfg, out);
	if (!err && out->text.failed)
		err = diag_err(d, -ENOMEM, "out of memory for the job");
	for (size_t i = 0; i < l.n; i++)
		free(l.v[i].line.v);
	free(l.v);
	return err;
}

void ds_job_fini(struct ds_job *j)
{
	strbuf_fini(&j->text);
	free(j->native.v);
	notes_fini(&j->notes);
	notes_fini(&j->losses);
	arena_fini(&j->mem);
	*j = (struct ds_job){ 0 };
}
