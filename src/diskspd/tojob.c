#include "tojob.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "tojob_section.h"
#include "vec.h"

struct sections {
	struct section *v;
	size_t n, cap;
};

/* ---- sections ---- */

/* Returns true if the name is "pool" or "pool-2". */
static bool is_numbered(const char *name, const char *plain, size_t n)
{
	if (strncmp(name, plain, n))
		return false;
	return !name[n] || (name[n] == '-' && !name[n + 1 + strspn(name + n + 1, "0123456789")]);
}

/* Names the section after its file, without characters that have a meaning in job files. */
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

static bool has_thread_targets(const struct ds_span *s)
{
	bool some = false;

	for (size_t i = 0; i < s->ntargets; i++)
		some = some || s->targets[i].nthread_targets;
	return some;
}

/* Returns the number of threads, from this one on, that use the same targets with the same weights. */
static unsigned same_threads(const struct ds_span *s, unsigned thread)
{
	unsigned n = 1;

	if (!has_thread_targets(s))
		return s->threads;
	for (; thread + n < s->threads; n++)
		for (size_t i = 0; i < s->ntargets; i++)
			if (ds_thread_weight(&s->targets[i], thread + n) !=
			    ds_thread_weight(&s->targets[i], thread))
				return n;
	return n;
}

static const struct ds_target *first_used(const struct ds_span *s, unsigned thread)
{
	for (size_t i = 0; i < s->ntargets; i++)
		if (ds_thread_weight(&s->targets[i], thread))
			return &s->targets[i];
	return NULL;
}

static bool same_loads(const struct ds_span *s, unsigned thread)
{
	const struct ds_target *first = first_used(s, thread);

	for (size_t i = 0; i < s->ntargets; i++)
		if (ds_thread_weight(&s->targets[i], thread) && !ds_same_load(&s->targets[i], first))
			return false;
	return true;
}

static uint64_t range_end(const struct section *base_section, const struct ds_target *t)
{
	struct section s = *base_section;
	uint64_t size;

	s.target = t;
	size = ds_creates_file(t) ? 0 : section_size(&s);
	return size && size < t->max_size ? size : t->max_size;
}

/* Returns true if -f ends the range of all targets at the same offset. The files of one section share their
   range. */
static bool same_ends(const struct section *base_section)
{
	const struct ds_span *s = base_section->span;

	for (size_t i = 1; i < s->ntargets; i++)
		if (range_end(base_section, &s->targets[i]) != range_end(base_section, &s->targets[0]))
			return false;
	return true;
}

/* Returns true if one section can have several files: -F over targets with the same options. If threads use
   different targets, each set of targets becomes a section. With a thread stride that is impossible, because
   starts count all threads. */
static bool is_pool(const struct section *base_section)
{
	const struct ds_span *s = base_section->span;
	bool some = has_thread_targets(s), possible = s->threads && (s->ntargets > 1 || some);

	if (!s->requests)
		possible = possible && !base_section->cfg->for_fio && !some;
	for (size_t i = 0; possible && some && i < s->ntargets; i++)
		possible = !s->targets[i].thread_stride;
	for (unsigned thread = 0; possible && thread < s->threads; thread += same_threads(s, thread))
		possible = same_loads(s, thread);
	return possible && same_ends(base_section);
}

static int add_section(struct sections *l, const struct section *base_section, bool spans, struct diag *d)
{
	struct section s = *base_section;
	int err;

	name_section(&s, l, spans);
	err = section_lines(&s, d);
	if (!err && s.bad_character)
		err = diag_err(d, -EINVAL,
			       "a job file cannot hold a line break or another control character in a value");
	if (!err && (s.no_memory || !VEC_PUSH(l, s)))
		err = diag_err(d, -ENOMEM, "out of memory for the job");
	if (err)
		free(s.line.v);
	return err;
}

/* Adds the sections in the order of their threads, which get processors in turn. */
static int add_pool(struct sections *l, const struct section *base_section, bool spans, struct diag *d)
{
	bool stonewalled = false;
	int err = 0;

	for (unsigned thread = 0, n; thread < base_section->span->threads && !err; thread += n) {
		struct section s = *base_section;

		n = same_threads(s.span, thread);
		s.target = first_used(s.span, thread);
		s.first_thread = thread;
		s.threads = n;
		if (!s.target) {
			section_note(
				&s,
				"ThreadTargets: %u threads, from thread %u on, have no target and do nothing",
				n, thread);
			continue;
		}
		if (s.span_number > 1 && !stonewalled)
			section_line_local(&s, "stonewall");
		stonewalled = true;
		err = add_section(l, &s, spans, d);
	}
	return err;
}

static int add_span_sections(struct sections *l, const struct ds_profile *p, size_t i,
			     struct section *base_section, struct diag *d)
{
	const struct ds_span *span = &p->spans[i];
	int err = 0;

	base_section->profile = p;
	base_section->span = span;
	base_section->span_number = i + 1;
	base_section->pool = is_pool(base_section);
	if (base_section->pool)
		return add_pool(l, base_section, p->nspans > 1, d);
	for (size_t k = 0; k < span->ntargets && !err; k++) {
		struct section s = *base_section;

		s.target = &span->targets[k];
		if (i && !k)
			section_line_local(&s, "stonewall");
		err = add_section(l, &s, p->nspans > 1, d);
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

/* Marks the lines of the first section that all sections have. */
static void find_common(const struct sections *l)
{
	const struct section *first = &l->v[0];

	for (size_t k = 0; k < first->line.n; k++)
		first->line.v[k].in_global = is_common(l, &first->line.v[k]);
}

static bool is_in_global(const struct sections *l, const char *text)
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
		if (s->line.v[i].section_only || !is_in_global(l, s->line.v[i].text))
			strbuf_printf(out, "%s\n", s->line.v[i].text);
}

/* Adds a comment, with a mark at the beginning of each of its lines. */
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

static void put_job_text(const struct sections *l, const struct ds_job_cfg *cfg, struct ds_job *out)
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
		put_comment(b, "not translated: ", out->losses.line[i]);
}

/* Notes the events of -e that Linux cannot count. */
static void note_events(struct section *base_section, const struct ds_profile *p)
{
	static const char etw[] = "is an option of ETW, which Linux does not have";
	static const struct {
		enum ds_event event;
		const char *flag, *why;
	} none[] = {
		{ DS_EV_IMAGE_LOAD, "-eIMAGE_LOAD",
		  "not counted, because the kernel does not count loaded images" },
		{ DS_EV_REGISTRY, "-eREGISTRY", "not counted, because Linux has no registry" },
		{ DS_EV_PAGED, "-ep", etw },
		{ DS_EV_PERF_TIMER, "-eq", etw },
		{ DS_EV_SYSTEM_TIMER, "-es", etw },
		{ DS_EV_CYCLES, "-ec", etw },
	};

	for (size_t i = 0; base_section->cfg->diskspd_report && i < sizeof(none) / sizeof(*none); i++)
		if (p->event[none[i].event])
			section_note(base_section, "{~flag|%s}: %s", none[i].flag, none[i].why);
}

/* Notes the options of the whole run that a job does not carry. */
static void note_run_options(struct section *base_section, const struct ds_profile *p)
{
	static const char *const about[] = { "-P", "-v", "-e", "-:" };
	bool own = base_section->cfg->diskspd_report;
	const bool given[] = { p->progress_ios && !own, p->verbose && !own, p->any_event && !own,
			       p->experiment_flags };

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i])
			section_note(base_section,
				     "{~flag|%s}: changes only DISKSPD's own report, and has no effect here",
				     about[i]);
	note_events(base_section, p);
	if (p->precreate && p->nspans > 1)
		section_note(base_section,
			     "PrecreateFiles: each file is created before the first time span that uses it");
}

int ds_to_job(const struct ds_profile *p, const struct ds_job_cfg *cfg, struct ds_job *out, struct diag *d)
{
	struct section base_section = { .cfg = cfg, .out = out };
	struct sections l = { 0 };
	int err = section_total(p, d);

	note_run_options(&base_section, p);
	for (size_t i = 0; i < p->nspans && !err; i++)
		err = add_span_sections(&l, p, i, &base_section, d);
	if (!err && !l.n)
		err = diag_err(d, -EINVAL, "there is no target");
	out->sections = l.n;
	if (!err)
		put_job_text(&l, cfg, out);
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
