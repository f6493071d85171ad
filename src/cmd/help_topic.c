#include "help_topic.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "cmdline.h"
#include "cmdline_flags.h"
#include "engine.h"
#include "nearest.h"
#include "rows.h"
#include "strbuf.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The words that newcomers look for, with the option that they mean, or a sentence. */
static const struct word {
	const char *word, *option, *text;
} help_words[] = {
	{ "jobs", "numjobs", NULL },
	{ "threads", "thread", "numjobs=4 thread=1 makes four threads." },
	{ "workers", "numjobs", NULL },
	{ "qd", "iodepth", NULL },
	{ "depth", "iodepth", NULL },
	{ "queue", "iodepth", NULL },
	{ "queue depth", "iodepth", NULL },
	{ "outstanding", "iodepth", NULL },
	{ "in flight", "iodepth", NULL },
	{ "block", "bs", NULL },
	{ "block size", "bs", NULL },
	{ "block sizes", "bssplit", "bs has one size for each direction, bsrange a range, bssplit a list." },
	{ "pattern", "rw", NULL },
	{ "random", "rw", NULL },
	{ "sequential", "rw", NULL },
	{ "mix", "rwmixread", NULL },
	{ "duration", "runtime", NULL },
	{ "time", "runtime", "runtime is a limit; time_based lets the job last that long." },
	{ "warmup", "ramp_time", NULL },
	{ "warm up", "ramp_time", NULL },
	{ "ramp", "ramp_time", NULL },
	{ "engine", "ioengine", NULL },
	{ "engines", "ioengine", NULL },
	{ "seed", "randseed", NULL },
	{ "file", "filename", NULL },
	{ "files", "nrfiles", NULL },
	{ "device", "filename", NULL },
	{ "disk", "filename", NULL },
	{ "o_direct", "direct", NULL },
	{ "direct io", "direct", NULL },
	{ "direct i/o", "direct", NULL },
	{ "unbuffered", "direct", NULL },
	{ "cache", "direct", "invalidate=1 drops cached pages before a job begins." },
	{ "page cache", "direct", "invalidate=1 drops cached pages before a job begins." },
	{ "flush", "fsync",
	  "fsync=N flushes after N writes, end_fsync=1 once at the end, sync=1 opens with O_SYNC." },
	{ "o_sync", "sync", NULL },
	{ "bandwidth", "rate", "The report shows it; rate limits it." },
	{ "throughput", "rate", "The report shows it; rate limits it." },
	{ "limit", "rate", NULL },
	{ "iops", "rate_iops", "The report shows it; rate_iops limits it." },
	{ "percentile", "percentile_list", NULL },
	{ "percentiles", "percentile_list", NULL },
	{ "compression", "buffer_compress_percentage", NULL },
	{ "dedupe", "dedupe_percentage", NULL },
	{ "deduplication", "dedupe_percentage", NULL },
	{ "json", "output-format", NULL },
	{ "terse", "output-format", NULL },
	{ "formats", "output-format", NULL },
	{ "script", NULL, "fiord diskspd - <SCRIPT runs the DISKSPD lines of a script." },
	{ "examples", NULL,
	  "fiord help OPTION prints an example of each option; fiord preset list has whole workloads." },
	{ "presets", NULL,
	  "fiord preset list has workloads ready to run; fiord preset --help explains more." },
	{ "exit code", NULL, "fiord --help lists the exit codes; man fiord explains them." },
	{ "exit codes", NULL, "fiord --help lists the exit codes; man fiord explains them." },
	{ "run", NULL, "fiord run JOBFILE... runs jobs; the word run may be left out." },
	{ "check", NULL, "fiord check JOBFILE... prints what a run would do, and touches nothing." },
	{ "version", NULL, "fiord version prints the version." },
	{ "help", NULL, "fiord help OPTION explains one option, fiord --help the whole program." },
	{ "diskspd", NULL,
	  "fiord diskspd LINE... runs a DISKSPD command line; fiord diskspd --help explains more." },
};

/* Returns the row of an option of this engine; NULL: it has none, or refuses one that fio has for others. */
static const struct opt_row *row_in(const struct engine *e, const char *name)
{
	const struct opt_row *row = e->opts ? opt_find(e->opts, name) : NULL;

	return row && (row->status != OPT_REFUSED || !opt_find(&foreign_options, name)) ? row : NULL;
}

/* Returns the row of the first engine that has the option. */
static const struct opt_row *engine_row(const char *name)
{
	const struct opt_row *row = NULL;

	for (const struct engine *const *e = engine_table; *e && !row; e++)
		row = row_in(*e, name);
	return row ? row : opt_find(&foreign_options, name);
}

static const struct opt_row *find_row(const char *name)
{
	const struct opt_row *row = opt_find(&job_options, name);

	if (!row)
		row = opt_find(&cmdline_flags, name);
	return row ? row : engine_row(name);
}

/* Adds an engine and its other names. */
static void put_engine(const struct engine *e, const char **last, struct strbuf *b)
{
	doc_choice(&(struct opt_choice){ e->name, 0, e->help, NULL }, last, b);
	for (unsigned i = 0; e->alias[i]; i++)
		doc_choice(&(struct opt_choice){ e->alias[i], 0, "The same engine under another name", NULL },
			   last, b);
}

/* Adds all engines of fio: first those that work, then the others with the reason. */
static void put_engines(struct strbuf *b)
{
	const char *last = NULL, *name, *why;

	for (const struct engine *const *e = engine_table; *e; e++)
		put_engine(*e, &last, b);
	for (unsigned i = 0; (name = engine_missing_at(i, &why)); i++)
		doc_choice(&(struct opt_choice){ name, CHOICE_REFUSED, NULL, why }, &last, b);
}

static bool have_one_text(const struct opt_row *a, const struct opt_row *b)
{
	struct strbuf first = { 0 }, second = { 0 };
	bool same = !doc_option(a, DOC_ALL, &first) && !doc_option(b, DOC_ALL, &second) &&
		    !strcmp(strbuf_str(&first), strbuf_str(&second));

	strbuf_fini(&first);
	strbuf_fini(&second);
	return same;
}

/* Returns whether the engine has an option whose help is that of this row. */
static bool has_same_option(const struct engine *e, const struct opt_row *row)
{
	const struct opt_row *other = row_in(e, row->name);

	return other && have_one_text(row, other);
}

/* Adds the names of the engines from e on that have this option. */
static void put_engines_of(const struct engine *const *e, const struct opt_row *row, struct strbuf *b)
{
	const char *before = "     engines: ";

	for (; *e; e++) {
		if (!has_same_option(*e, row))
			continue;
		strbuf_printf(b, "%s%s", before, (*e)->name);
		before = ", ";
	}
	strbuf_putc(b, '\n');
}

/* Returns whether an engine before e has this option. */
static bool stands_before(const struct engine *const *e, const struct opt_row *row)
{
	for (const struct engine *const *i = engine_table; i < e; i++)
		if (has_same_option(*i, row))
			return true;
	return false;
}

/* Adds an option that engines have, once for all engines that take the same values. first: the row of the
   first engine. */
static int put_engine_option(const struct opt_row *first, enum doc_choices which, struct strbuf *b)
{
	int err = 0;

	for (const struct engine *const *e = engine_table; *e && !err; e++) {
		const struct opt_row *row = row_in(*e, first->name);

		if (!row || stands_before(e, row))
			continue;
		if (row != first)
			strbuf_putc(b, '\n');
		err = doc_option(row, which, b);
		put_engines_of(e, row, b);
	}
	return err;
}

static bool is_of_engine(const struct opt_row *row)
{
	return row != opt_find(&job_options, row->name) && row != opt_find(&cmdline_flags, row->name) &&
	       row != opt_find(&foreign_options, row->name);
}

static int put_job_option(const struct opt_row *row, enum doc_choices which, struct strbuf *b)
{
	int err = is_of_engine(row) ? put_engine_option(row, which, b) : doc_option(row, which, b);

	if (!err && row == opt_find(&job_options, "ioengine") && which == DOC_ALL)
		put_engines(b);
	return err;
}

static const char *nearest_option(const char *name)
{
	const struct opt_table *tables[] = { &job_options, &cmdline_flags };

	return opt_nearest(tables, COUNT(tables), name);
}

static int no_option(const char *name, struct diag *d)
{
	const char *near = nearest_option(name);

	return near ? diag_err(d, -EINVAL, "no option '%s'; did you mean '%s'?", name, near)
		    : diag_err(d, -EINVAL, "no option '%s'; fiord --cmdhelp lists them", name);
}

int help_option(const char *name, enum doc_choices which, struct strbuf *b, struct diag *d)
{
	const struct opt_row *row = find_row(name + strspn(name, "-"));

	return row ? put_job_option(row, which, b) : no_option(name, d);
}

static const struct engine *engine_named(const char *name, size_t len)
{
	char buf[64];

	if (len >= sizeof(buf))
		return NULL;
	memcpy(buf, name, len);
	buf[len] = '\0';
	return engine_find(buf);
}

int help_engine(const char *topic, struct strbuf *b, struct diag *d)
{
	size_t n = strcspn(topic, ",");
	const struct engine *e = engine_named(topic, n);
	const struct opt_row *row;
	const char *why;

	if (!e) {
		why = engine_missing(topic);
		return diag_err(d, -EINVAL, "--enghelp=%s: %s", topic,
				why ? why : "no such engine; fiord --enghelp lists them");
	}
	if (!topic[n]) {
		strbuf_printf(b, "%s: %s\n", e->name, e->help);
		if (e->opts)
			doc_list(e->opts, b, true);
		return 0;
	}
	row = e->opts ? opt_find(e->opts, topic + n + 1) : NULL;
	if (!row)
		return diag_err(d, -EINVAL, "--enghelp=%s: engine %s has no such option", topic, e->name);
	return doc_option(row, DOC_ALL, b);
}

static const struct help_text *find_help(const char *name)
{
	const struct help_text *t = help_texts;

	while (t->name && strcmp(t->name, name))
		t++;
	return t->name ? t : NULL;
}

/* Returns the example of an option, under any of its names. */
static const struct help_text *sample_of(const struct opt_row *row)
{
	const struct help_text *t = find_help(row->name);

	for (size_t i = 0; !(t && t->sample) && i < COUNT(row->alias) && row->alias[i]; i++)
		t = find_help(row->alias[i]);
	return t && t->sample ? t : NULL;
}

/* Adds the option's row, its paragraphs of the manual, and an example. */
static int put_topic(const struct opt_row *row, struct strbuf *b)
{
	int err = put_job_option(row, DOC_ALL, b);
	const struct help_text *prose = find_help(row->name), *sample = sample_of(row);

	if (prose && prose->prose)
		strbuf_printf(b, "\n%s", prose->prose);
	if (sample)
		strbuf_printf(b, "\nExample, from %s:\n\n%s", sample->file, sample->sample);
	return b->failed ? -ENOMEM : err;
}

/* Returns the option whose name has these words, joined by '_', '-' or nothing. */
static const struct opt_row *row_of_words(const char *topic)
{
	static const char *const joints[] = { " ", "_", "-", "" };
	const struct opt_row *row = NULL;

	for (size_t i = 0; i < COUNT(joints) && !row; i++) {
		struct strbuf b = { 0 };

		for (const char *s = topic; *s; s++)
			*s == ' ' ? strbuf_puts(&b, joints[i]) : strbuf_putc(&b, *s);
		row = find_row(strbuf_str(&b));
		strbuf_fini(&b);
	}
	return row;
}

/* Returns true if a word of the text begins with these letters. */
static bool has_word(const char *text, const char *word, size_t n)
{
	for (const char *s = text; text && *s; s++)
		if ((s == text || !isalnum((unsigned char)s[-1])) && !strncasecmp(s, word, n))
			return true;
	return false;
}

static bool row_has_words(const struct opt_row *row, const char *topic)
{
	for (size_t n; *topic; topic += n + strspn(topic + n, " ")) {
		n = strcspn(topic, " ");
		if (!has_word(row->name, topic, n) && !has_word(row->help, topic, n) &&
		    !(row->alias[0] && has_word(row->alias[0], topic, n)))
			return false;
	}
	return true;
}

/* Adds a line for each option whose help has all of the words. */
static unsigned list_rows(const struct opt_table *t, const char *topic, struct strbuf *b)
{
	unsigned n = 0;

	for (const struct opt_row *row = t->rows; row->name; row++) {
		if (!row_has_words(row, topic))
			continue;
		doc_line(row, b);
		n++;
	}
	return n;
}

static unsigned list_options(const char *topic, struct strbuf *b)
{
	unsigned n = list_rows(&job_options, topic, b);

	for (const struct engine *const *e = engine_table; *e; e++)
		if ((*e)->opts)
			n += list_rows((*e)->opts, topic, b);
	return n + list_rows(&cmdline_flags, topic, b);
}

static const struct word *find_word(const char *topic)
{
	for (size_t i = 0; i < COUNT(help_words); i++)
		if (!strcasecmp(help_words[i].word, topic))
			return &help_words[i];
	return NULL;
}

/* Returns the term or the verb that a misspelt topic probably means; NULL if none is near. */
static const char *nearest_topic(const char *topic)
{
	const char *words[] = { help_term_nearest(topic), nearest_word(cmdline_verbs, topic), NULL };

	return words[0] ? nearest_word(words, topic) : words[1];
}

/* Suggests what is nearest: a term, a verb or an option. */
static int no_topic(const char *topic, struct diag *d)
{
	const char *near = nearest_topic(topic), *option = nearest_option(topic);

	if (!near || (option && nearest_distance(topic, option) < nearest_distance(topic, near)))
		return no_option(topic, d);
	return diag_err(d, -EINVAL, "no help on '%s'; did you mean '%s'?", topic, near);
}

int help_topic(const char *topic, struct strbuf *b, struct diag *d)
{
	const struct word *word = find_word(topic += strspn(topic, "-"));
	const struct opt_row *row = word ? NULL : row_of_words(topic);
	const char *term = help_term(topic);

	if (term) {
		strbuf_puts(b, term);
		if (!strncasecmp(topic, "latenc", 6)) {
			strbuf_puts(b, "\nOptions about latency:\n\n");
			list_options("latency", b);
		}
		return 0;
	}
	if (!strcasecmp(topic, "flags")) {
		doc_list(&cmdline_flags, b, false);
		return 0;
	}
	if (word && word->text)
		strbuf_printf(b, "%s\n", word->text);
	if (word && word->option)
		row = find_row(word->option);
	if (row)
		return put_topic(row, b);
	if (!word && engine_find(topic))
		return help_engine(topic, b, d);
	if (!word && engine_missing(topic))
		return diag_err(d, -EINVAL, "engine %s: %s", topic, engine_missing(topic));
	if (word || (strlen(topic) > 2 && list_options(topic, b)))
		return 0;
	return no_topic(topic, d);
}
