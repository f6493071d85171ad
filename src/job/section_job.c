#include "sections.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "fio_numbers.h"
#include "option_names.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

/* A job that is being assembled. */
struct build {
	struct sections *s;
	struct job job;
	bool check_only; /* only checks and collects the layers in force */
};

/* Puts "jobs/db.fio:12: bs=4q" before the error in d. */
static int add_place(struct sections *s, const struct raw_opt *o, enum origin from)
{
	const char *eq = o->text ? "=" : "", *text = o->text ? o->text : "";

	if (o->at.line)
		return diag_wrap(s->d, "{@%s:%u: }{%s%s%.80s}", o->at.file, o->at.line, o->name, eq, text);
	return diag_wrap(s->d, "%s%s%s%.80s", from == FROM_SET && !s->set->run.preset ? "--set " : "--",
			 o->name, eq, text);
}

static bool has_name(const struct raw_opt *o, const struct opt_row *row)
{
	if (!strcmp(o->name, row->name))
		return true;
	for (unsigned i = 0; i < 3 && row->alias[i]; i++)
		if (!strcmp(o->name, row->alias[i]))
			return true;
	return false;
}

/* ---- engines ---- */

/* Returns the last occurrence of an option in a layer, or NULL. */
static const struct raw_opt *last_in_layer(const struct raw_section *layer, const struct opt_row *row)
{
	for (size_t i = layer ? layer->n : 0; i > 0; i--)
		if (has_name(&layer->v[i - 1], row))
			return &layer->v[i - 1];
	return NULL;
}

static const struct raw_opt *option_in_force(const struct sections *s, const struct raw_section *own,
					     const struct opt_row *row, enum origin *from)
{
	const struct raw_opt *o;

	*from = FROM_SET;
	if ((o = last_in_layer(s->sets, row)))
		return o;
	*from = FROM_SECTION;
	if ((o = last_in_layer(own, row)))
		return o;
	*from = FROM_GLOBAL;
	for (size_t i = s->layers.n; i > 0; i--)
		if ((o = last_in_layer(s->layers.v[i - 1], row)))
			return o;
	return NULL;
}

static int find_engine(struct build *b, const struct raw_section *own)
{
	const struct opt_row *row = opt_find(&job_options, "ioengine");
	enum origin from;
	const struct raw_opt *o = option_in_force(b->s, own, row, &from);
	const char *name = o && o->text ? o->text : row->def;
	const struct engine *e = engine_find(name);

	if (!e) {
		option_unknown_engine(name, b->s->d);
		return o ? add_place(b->s, o, from) : diag_wrap(b->s->d, "{ioengine=%s}", name);
	}
	if (e->stands_for && !strcmp(name, e->stands_for))
		notes_add(&b->s->set->notes, "{ioengine=%s}: %s is used, which corresponds to it here", name,
			  e->name);
	b->job.engine = e;
	if (e->opts) {
		b->job.engine_opts = arena_alloc(&b->s->set->arena, e->opts_size);
		if (!b->job.engine_opts)
			return diag_no_memory(b->s->d);
		return opt_defaults(e->opts, b->job.engine_opts, b->s->d);
	}
	return 0;
}

/* ---- one option ---- */

static struct opt_ctx parse_ctx(struct build *b)
{
	unsigned kb_base = b->job.opts.report.kb_base;

	return (struct opt_ctx){ .kb_base = kb_base ? kb_base : 1024, .notes = &b->s->set->notes };
}

/* Computes "8*24105", into which $mb_memory was expanded. Returns other text as it is. A '-' does not count,
   because it may be that of a range. */
static const char *keyword_arithmetic(struct build *b, const struct opt_row *row, const struct raw_opt *o)
{
	uint64_t v;
	const char *text;

	if (!o->keyword || !o->text || !row->type || row->type->free_text ||
	    !o->text[strcspn(o->text, "+*/")])
		return o->text;
	if (opt_arith(o->text, parse_ctx(b).kb_base, &v, NULL))
		return o->text;
	text = arena_printf(&b->s->set->arena, "%llu", (unsigned long long)v);
	return text ? text : o->text;
}

/* Under the name fio: returns the number that fio reads in text, with a note if fiord reads another one. */
static const char *translate_as_fio(struct build *b, const struct opt_row *row, const struct raw_opt *o,
				    const char *text)
{
	struct strbuf as = { 0 };
	const char *meant = text;

	if (!b->s->set->run.as_fio || !fio_numbers_translate(row, text, o->blank, parse_ctx(b).kb_base, &as))
		return text;
	meant = arena_strdup(&b->s->set->arena, strbuf_str(&as));
	notes_add(&b->s->set->notes, "{%s=%s} is read as %s, as fio does", o->name, text, strbuf_str(&as));
	strbuf_fini(&as);
	return meant ? meant : text;
}

/* Notes a blank after '='. fio keeps it and then misreads many values. */
static void note_blank(struct build *b, const struct opt_row *row, const struct raw_opt *o)
{
	bool number = isdigit((unsigned char)o->text[0]);

	if (!o->blank || b->s->set->run.as_fio || !row->type || row->type->unit == OPT_UNIT_TIME)
		return;
	if (row->type->free_text || (number && strpbrk(o->text, "kKmMgGtTpP,")))
		notes_add(&b->s->set->notes,
			  "{@%s:%u: }%s = %s: the blanks are dropped; fio keeps them and reads another value",
			  o->at.file, o->at.line, o->name, o->text);
}

static int record_option(struct build *b, const struct opt_row *row, const struct raw_opt *o,
			 const char *text, enum origin from)
{
	struct user_option g = { .name = row ? row->name : o->name, .text = text, .at = o->at };
	struct user_options *to = from == FROM_SECTION || from == FROM_SET ? &b->job.own : &b->job.inherited;
	char adds = opt_adds(row);

	return user_options_put(to, &b->s->set->arena, &g, adds) ? 0 : diag_no_memory(b->s->d);
}

/* Handles an option that neither the core nor this job's engine has. */
static int refuse_or_skip(struct build *b, const struct raw_opt *o, enum origin from)
{
	const struct engine *other = option_engine(o->name);
	const struct opt_row *foreign = opt_find(&foreign_options, o->name);
	struct opt_ctx ctx = parse_ctx(b);

	if (other && from == FROM_SECTION) {
		option_of_other_engine(b->s->d, o->name, b->job.engine->name);
		return add_place(b->s, o, from);
	}
	if (other)
		return b->check_only ? record_option(b, NULL, o, o->text, from) : 0;
	if (foreign && opt_set(foreign, NULL, o->text, &ctx, b->s->d))
		return add_place(b->s, o, from);
	option_unknown(NULL, "", o->name, b->s->d);
	if (o->at.line)
		return diag_place(b->s->d, "{@%s:%u: }", o->at.file, o->at.line);
	return add_place(b->s, o, from);
}

/* Finds the row in the core or in this job's engine. Sets *opts (if opts is not NULL) to the struct of its
 * table. */
static const struct opt_row *find_row(struct build *b, const char *name, void **opts)
{
	const struct opt_row *row = opt_find(&job_options, name);

	if (opts)
		*opts = row ? (void *)&b->job.opts : b->job.engine_opts;
	return row || !b->job.engine->opts ? row : opt_find(b->job.engine->opts, name);
}

/* threads=1 means thread: many job files have it, although in fio it belongs to the profile tiobench. Returns
   NULL for another option, or with an error in d. */
static const struct opt_row *threads_row(struct build *b, const struct raw_opt *o, void **to)
{
	if (strcmp(o->name, "threads"))
		return NULL;
	if (o->text && strcmp(o->text, "0") && strcmp(o->text, "1")) {
		diag_err(b->s->d, -EINVAL,
			 "not known; {+numjobs=%.20s} starts that number of workers, and {+thread=1} makes "
			 "them threads",
			 o->text);
		return NULL;
	}
	notes_add(&b->s->set->notes, "{threads%s%s} is read as {thread%s%s}", o->text ? "=" : "",
		  o->text ? o->text : "", o->text ? "=" : "", o->text ? o->text : "");
	return find_row(b, "thread", to);
}

/* --set overrides the file: an option whose values add up begins anew with it. */
static void clear_what_set_replaces(struct build *b)
{
	const struct raw_section *sets = b->s->sets;

	for (size_t i = 0; i < sets->n; i++) {
		void *to;
		const struct opt_row *row = find_row(b, sets->v[i].name, &to);

		if (!opt_adds(row))
			continue;
		row->type->fini(row, (char *)to + row->offset);
		user_options_remove(&b->job.own, row->name);
		user_options_remove(&b->job.inherited, row->name);
	}
}

static int apply_option(struct build *b, struct raw_opt *o, enum origin from)
{
	void *to;
	const struct opt_row *row = find_row(b, o->name, &to);
	struct opt_ctx ctx = parse_ctx(b);
	const char *text;

	row = row ? row : threads_row(b, o, &to);
	if (b->s->d->text)
		return add_place(b->s, o, from);
	if (!row)
		return refuse_or_skip(b, o, from);
	text = keyword_arithmetic(b, row, o);
	/* An empty element of a list leaves its direction unchanged, so a list of empty elements has no
	 * value. */
	if (row->status == OPT_WORKS && text && !text[strspn(text, ",")] && !row->type->free_text)
		diag_err(b->s->d, -EINVAL, "needs a value (%s)", row->type->name);
	else
		opt_set(row, to, translate_as_fio(b, row, o, text), &ctx, b->s->d);
	if (b->s->d->text)
		return add_place(b->s, o, from);
	if (text)
		note_blank(b, row, o);
	if (b->check_only && !o->used && o->at.line && !b->s->selected->n)
		notes_add(&b->s->set->notes, "{@%s:%u: }{%s} has no effect: no job uses it", o->at.file,
			  o->at.line, o->name);
	o->used = true;
	return record_option(b, row, o, text, from);
}

/* Applies kb_base first, because the sizes of the layer depend on it. */
static int apply_layer(struct build *b, struct raw_section *layer, enum origin from)
{
	int err = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; layer && i < layer->n && !err; i++)
			if (!strcmp(layer->v[i].name, "kb_base") == (pass == 0))
				err = apply_option(b, &layer->v[i], from);
	}
	return err;
}

/* ---- one job ---- */

static int apply_inherited(struct build *b)
{
	struct sections *s = b->s;
	int err = 0;

	for (size_t i = 0; i < s->layers.n && !err; i++)
		err = apply_layer(b, s->layers.v[i],
				  s->layers.v[i] == s->defaults ? FROM_DEFAULTS : FROM_GLOBAL);
	return err;
}

/* Sets the name of the section. A name= in the section comes later and replaces it. */
static int apply_name(struct build *b, const struct raw_section *sec)
{
	struct opt_ctx ctx = parse_ctx(b);

	if (!opt_set(opt_find(&job_options, "name"), &b->job.opts, sec->name, &ctx, b->s->d))
		return 0;
	if (sec->at.line)
		return diag_place(b->s->d, "{@%s:%u: }{#%.80s}", sec->at.file, sec->at.line, sec->name);
	return diag_wrap(b->s->d, "--name=%.80s", sec->name);
}

/* Records a default that the job file overrides. Returns false when memory is short. */
static bool record_overridden(struct build *b, const struct opt_row *row, const struct raw_opt *o)
{
	struct user_option g = { .name = row->name, .text = o->text, .at = o->at };

	return user_options_put(&b->job.overridden, &b->s->set->arena, &g, 0);
}

/* Adds a note for each default of the command line that the job file overrides. */
static void note_overridden(struct build *b)
{
	struct sections *s = b->s;

	if (!s->layers.n || s->layers.v[0] != s->defaults)
		return;
	for (size_t i = 0; i < s->defaults->n; i++) {
		const struct raw_opt *o = &s->defaults->v[i];
		const struct opt_row *row = find_row(b, o->name, NULL);
		const struct user_option *g = row ? job_user_option(&b->job, row->name) : NULL;
		const char *was = o->text ? o->text : "", *eq = o->text ? "=" : "", *is;

		if (!g || !g->at.line || opt_adds(row))
			continue;
		is = g->text ? g->text : "";
		if (strcmp(was, is) && record_overridden(b, row, o))
			notes_add(
				&s->set->notes,
				"--%s%s%s is only a default: %s:%u sets %s%s%s; use --set %s%s%s to override",
				o->name, eq, was, g->at.file, g->at.line, g->name, g->text ? "=" : "", is,
				o->name, eq, was);
	}
}

static void free_job(struct build *b)
{
	opt_fini(&job_options, &b->job.opts);
	if (b->job.engine_opts)
		opt_fini(b->job.engine->opts, b->job.engine_opts);
}

static int push_job(struct sections *s, const struct job *job)
{
	struct job_set *set = s->set;

	if (set->njobs == s->jobs_cap) {
		size_t cap = s->jobs_cap ? s->jobs_cap * 2 : 8;
		struct job *grown = arena_array(&set->arena, cap, sizeof(*grown));

		if (!grown)
			return diag_no_memory(s->d);
		if (set->njobs)
			memcpy(grown, set->jobs, set->njobs * sizeof(*grown));
		set->jobs = grown;
		s->jobs_cap = cap;
	}
	set->jobs[set->njobs++] = *job;
	return 0;
}

static int assemble_job(struct build *b, struct raw_section *sec)
{
	struct sections *s = b->s;
	int err = find_engine(b, sec);

	err = err ? err : opt_defaults(&job_options, &b->job.opts, s->d);
	err = err ? err : apply_inherited(b);
	if (err || !sec)
		return err;
	err = apply_name(b, sec);
	err = err ? err : apply_layer(b, sec, FROM_SECTION);
	clear_what_set_replaces(b);
	err = err ? err : apply_layer(b, s->sets, FROM_SET);
	if (err)
		return err;
	b->job.name = arena_strdup(&s->set->arena, b->job.opts.group.name);
	b->job.section = arena_strdup(&s->set->arena, sec->name);
	return b->job.name && b->job.section ? 0 : diag_no_memory(s->d);
}

int section_make_job(struct sections *s, struct raw_section *sec, bool first_of_file)
{
	struct build b = { .s = s, .job = { .at = sec->at, .first_of_file = first_of_file } };
	int err = assemble_job(&b, sec);

	if (!err)
		note_overridden(&b);
	err = err ? err : push_job(s, &b.job);
	if (err)
		free_job(&b);
	return err;
}

int section_check_layers(struct sections *s)
{
	struct build b = { .s = s, .check_only = true };
	int err = assemble_job(&b, NULL);

	if (!err && s->files == 1) {
		s->set->globals = b.job.inherited;
		s->set->has_globals = b.job.inherited.n > 0;
	} else {
		s->set->globals = (struct user_options){ 0 };
		s->set->has_globals = false;
	}
	free_job(&b);
	return err;
}

int section_refuse_unused(struct sections *s, struct raw_section *layer, enum origin from)
{
	if (s->selected->n)
		return 0; /* jobs that --section excludes may use them */
	for (size_t i = 0; i < layer->n; i++) {
		struct raw_opt *o = &layer->v[i];

		if (o->used)
			continue;
		option_of_other_engine(s->d, o->name, NULL);
		return add_place(s, o, from);
	}
	return 0;
}
