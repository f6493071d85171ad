#include "cmdline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline_parts.h"
#include "nearest.h"
#include "option_names.h"
#include "rows.h"
#include "sections.h"
#include "strbuf.h"
#include "vec.h"

struct parser {
	struct job_set *set;
	struct diag *d;
	int argc, pos; /* argv[pos] is the current argument */
	char *const *argv;
	struct cmdline_flags flags;
	struct raw_section defaults, sets;
	struct jobfile jobs; /* opened by --name */
	struct texts files, selected, assertions;
	struct output_args outputs;
	const char *flag_before;             /* the option without a value before this argument, for a hint */
	const struct cmdline_preset *preset; /* NULL: none */
};

/* ---- one option ---- */

/* Sets *text to the value of an option: the text after '=', or the next argument if a value is required. */
static int option_value(struct parser *p, const struct opt_row *row, const char *eq, const char **text)
{
	*text = eq ? eq + 1 : NULL;
	if (!eq && row->word && p->pos + 1 < p->argc && p->argv[p->pos + 1][0] != '-') {
		*text = p->argv[++p->pos];
		return 0;
	}
	if (eq || row->bare || row->status == OPT_REFUSED)
		return 0;
	if (p->pos + 1 >= p->argc)
		return diag_err(p->d, -EINVAL, "--%s needs a value: --%s=...", row->name, row->name);
	*text = p->argv[++p->pos];
	if (!strncmp(*text, "--", 2))
		return diag_err(p->d, -EINVAL, "--%s needs a value, and %.60s is the next option", row->name,
				*text);
	return 0;
}

static int push_text(struct parser *p, struct texts *list, const char *text)
{
	const char *copy = arena_strdup(&p->set->arena, text);

	return copy && VEC_PUSH(list, copy) ? 0 : diag_no_memory(p->d);
}

static int push_option(struct parser *p, struct raw_section *to, const char *name, const char *text)
{
	struct raw_opt o = { .name = name, .at = { .file = COMMAND_LINE } };

	o.text = text ? arena_strdup(&p->set->arena, text) : NULL;
	if ((text && !o.text) || !VEC_PUSH(to, o))
		return diag_no_memory(p->d);
	return 0;
}

static int add_set(struct parser *p, const char *text)
{
	size_t n = strcspn(text, "=");
	const char *name = arena_strndup(&p->set->arena, text, n);

	if (!n)
		return diag_err(p->d, -EINVAL, "--set %.60s: which option? (--set NAME=VALUE)", text);
	return name ? push_option(p, &p->sets, name, text[n] ? text + n + 1 : NULL) : diag_no_memory(p->d);
}

static int set_flag(struct parser *p, const struct opt_row *row, const char *text)
{
	const struct opt_ctx ctx = { .kb_base = 1024, .notes = &p->set->notes };
	struct cmdline_flags *f = &p->flags;
	int err = 0;

	if (opt_set(row, f, text, &ctx, p->d))
		return diag_wrap(p->d, "--%s%s%.80s", row->name, text ? "=" : "", text ? text : "");
	if (f->set)
		err = add_set(p, f->set);
	if (f->where)
		err = push_option(p, &p->sets, "latency_split", "1");
	if (f->section)
		err = push_text(p, &p->selected, f->section);
	if (f->output && output_args_add(&p->outputs, f->output, &p->set->arena, p->d))
		err = diag_wrap(p->d, "--output=%.80s", f->output);
	if (f->assertion)
		err = push_text(p, &p->assertions, f->assertion);
	free(f->set);
	free(f->section);
	free(f->output);
	free(f->assertion);
	f->set = f->section = f->output = f->assertion = NULL;
	f->where = false;
	return err;
}

static int set_job_option(struct parser *p, const struct opt_row *row, const char *text)
{
	struct raw_section sec = { .at = { .file = COMMAND_LINE } };
	bool opens_job = !strcmp(row->name, "name");

	if (p->preset && opens_job)
		return diag_err(p->d, -EINVAL,
				"--name=%.60s: a preset takes no other jobs; save its job file "
				"(fiord preset show %s >FILE), and add jobs to that file",
				text, p->preset->name);
	if (p->preset)
		return push_option(p, &p->sets, row->name, text);
	if (opens_job) {
		if (!*text)
			return diag_err(p->d, -EINVAL, "--name= needs a name");
		sec.name = arena_strdup(&p->set->arena, text);
		if (!sec.name || !VEC_PUSH(&p->jobs, sec))
			return diag_no_memory(p->d);
	}
	return push_option(p, p->jobs.n ? &p->jobs.v[p->jobs.n - 1] : &p->defaults, row->name, text);
}

static int parse_option(struct parser *p, const char *word)
{
	const char *eq = strchr(word, '='), *text;
	char name[64];
	size_t n = eq ? (size_t)(eq - word) : strlen(word);
	const struct opt_row *row;
	bool flag = false;
	int err;

	if (n >= sizeof(name))
		return diag_err(p->d, -EINVAL, "unknown option '--%.60s...'", word);
	memcpy(name, word, n);
	name[n] = '\0';
	err = option_find_short(name, &row, &flag, p->d);
	err = err ? err : option_value(p, row, eq, &text);
	if (err)
		return err;
	p->flag_before = row->bare && !text ? row->name : NULL;
	return flag ? set_flag(p, row, text) : set_job_option(p, row, text);
}

/* ---- other arguments ---- */

/* Returns whether the argument begins with a figure dash, en dash, em dash or minus sign. Formatted pages
   turn "--" into them. */
static bool is_typeset_dash(const char *arg)
{
	return !strncmp(arg, "\xe2\x80\x93", 3) || !strncmp(arg, "\xe2\x80\x94", 3) ||
	       !strncmp(arg, "\xe2\x80\x92", 3) || !strncmp(arg, "\xe2\x88\x92", 3);
}

static int add_job_file(struct parser *p, const char *arg)
{
	int err;

	if (p->preset && *arg == '/')
		return diag_err(
			p->d, -EINVAL,
			"%.60s: a preset takes no job file; write --filename=%.60s for a device or file, "
			"--directory=%.60s for a directory",
			arg, arg, arg);
	if (p->preset)
		return diag_err(p->d, -EINVAL, "%.60s: a preset takes no job file; options begin with '--'",
				arg);
	err = push_text(p, &p->files, arg);
	if (!err && p->flag_before && (!strcmp(arg, "0") || !strcmp(arg, "1")))
		return diag_err(p->d, -EINVAL, "--%s %s: write --%s=%s", p->flag_before, arg, p->flag_before,
				arg);
	for (size_t i = 0; i + 1 < p->files.n && !err; i++)
		if (!strcmp(arg, "-") && !strcmp(p->files.v[i], "-"))
			err = diag_err(p->d, -EINVAL, "'-' (standard input) can be read only once");
	p->set->stdin_has_jobs |= !strcmp(arg, "-");
	p->flag_before = NULL;
	return err;
}

static int parse_argument(struct parser *p, bool *only_files)
{
	const char *arg = p->argv[p->pos];
	const char *word = arg + 1 + (arg[0] == '-' && arg[1] == '-');

	if (is_typeset_dash(arg))
		return diag_err(p->d, -EINVAL,
				"%.60s begins with a dash other than '-' (copied from a formatted page?); "
				"write --%.60s",
				arg, arg + 3 + 3 * is_typeset_dash(arg + 3));
	if (*only_files || arg[0] != '-' || !arg[1])
		return add_job_file(p, arg);
	if (!strcmp(arg, "--")) {
		*only_files = true;
		return 0;
	}
	if (is_typeset_dash(word))
		return diag_err(p->d, -EINVAL,
				"%.60s: the second dash is no '-' (copied from a formatted page?)", arg);
	return parse_option(p, word);
}

/* Joins the words of "help queue depth" to one topic. */
static int parse_topic(struct parser *p, struct cmdline *c)
{
	struct strbuf b = { 0 };

	for (int i = 2; i < p->argc; i++)
		strbuf_printf(&b, "%s%s", i > 2 ? " " : "", p->argv[i] + strspn(p->argv[i], "-"));
	c->topic = strbuf_to_arena(&b, &p->set->arena);
	return c->topic ? 0 : diag_no_memory(p->d);
}

/* Parses the verb. "run", "check" and "help" are verbs only as the first argument. */
static int parse_verb(struct parser *p, struct cmdline *c)
{
	const char *first = p->argc > 1 ? p->argv[1] : NULL;

	p->pos = 1;
	c->verb = first ? VERB_RUN : VERB_USAGE;
	if (p->preset) {
		p->pos = p->preset->first;
		c->verb = p->preset->verb;
		return push_text(p, &p->files, p->preset->path);
	}
	if (!first || p->set->run.as_fio)
		return 0;
	if (!strcmp(first, "check"))
		c->verb = VERB_CHECK;
	else if (!strcmp(first, "help"))
		c->verb = VERB_HELP;
	else if (!strcmp(first, "version") && p->argc == 2)
		c->verb = VERB_VERSION;
	else if (strcmp(first, "run"))
		return 0;
	p->pos = 2;
	if (c->verb != VERB_HELP || p->argc < 3)
		return 0;
	return parse_topic(p, c);
}

/* Parses --help, --version and similar options, which end the parsing. */
static int parse_flag_verb(struct parser *p, struct cmdline *c)
{
	const char *topic = p->flags.topic;
	const char *next = p->pos + 1 < p->argc ? p->argv[p->pos + 1] : NULL;

	c->verb = (enum cmdline_verb)p->flags.verb;
	if (!topic && next && c->verb == VERB_INFLATE)
		topic = next;
	else if (!topic && next && (c->verb == VERB_HELP || (c->verb != VERB_VERSION && *next != '-')))
		topic = next + strspn(next, "-");
	if (topic && !(c->topic = arena_strdup(&p->set->arena, topic)))
		return diag_no_memory(p->d);
	return 0;
}

static int parse_arguments(struct parser *p, struct cmdline *c)
{
	bool only_files = false;
	int err = parse_verb(p, c);

	while (!err && c->verb != VERB_HELP && p->pos < p->argc) {
		err = parse_argument(p, &only_files);
		if (!err && p->flags.verb != VERB_RUN)
			return parse_flag_verb(p, c);
		p->pos++;
	}
	return err;
}

/* ---- from arguments to jobs ---- */

/* Called after an error in the command line. Keeps the formats and the output file, which decide how and
   where the error is printed. */
static void copy_output_flags(struct parser *p)
{
	p->set->run.formats = p->flags.run.formats;
	p->set->run.output = output_args_main(&p->outputs, p->flags.run.formats);
}

const char *const cmdline_verbs[] = { "run",    "check", "help",  "diskspd", "report", "compare", "merge",
				      "preset", "dist",  "sweep", "peak",    "trace",  "trend",   NULL };

/* Adds a hint if the name of a missing job file looks like a mistake: "fiord bs=4k", "fiord job.ini check".
 */
static void add_file_hint(struct parser *p, const char *path)
{
	const char *near;

	if (strchr(path, '='))
		diag_wrap(p->d, "options begin with '--' (--%.60s)", path);
	if (p->set->run.as_fio)
		return;
	near = strpbrk(path, "/.=") ? NULL : nearest_word(cmdline_verbs, path);
	if (near && !strcmp(path, near)) {
		diag_wrap(p->d, "'%s' must be the first word (fiord %s ...)", path, path);
	} else if (near) {
		diag_fini(p->d);
		diag_err(p->d, -ENOENT, "'%.60s' is neither a job file nor a verb; did you mean 'fiord %s'?",
			 path, near);
	}
}

static int read_file(struct parser *p, struct sections *s, const char *path,
		     const struct jobfile_source *from, bool first)
{
	struct jobfile f = { 0 };
	int err = jobfile_read(&f, path, from, &p->set->arena, &p->set->notes, p->d);

	err = err ? err : sections_file(s, &f, first);
	jobfile_fini(&f);
	if (err == -ENOENT)
		add_file_hint(p, path);
	return err;
}

static int make_jobs(struct parser *p, const struct jobfile_source *from)
{
	struct sections s = {
		.set = p->set, .d = p->d, .defaults = &p->defaults, .sets = &p->sets, .selected = &p->selected
	};
	int err = sections_command_line(&s, &p->jobs);

	for (size_t i = 0; i < p->files.n && !err; i++)
		err = read_file(p, &s, p->files.v[i], from, i == 0);
	err = err ? err : sections_finish(&s);
	sections_fini(&s);
	return err;
}

static int check_notes_and_jobs(struct parser *p)
{
	const struct job_set *set = p->set;

	if (set->run.warnings_fatal && set->notes.count)
		return diag_err(p->d, -EINVAL, "%s (a note, but --warnings-fatal was given)",
				set->notes.line[0]);
	if (set->njobs || ((set->run.parse_only || set->run.idle_prof == IDLE_CALIBRATE) && !p->files.n))
		return 0;
	if (p->files.n)
		return diag_err(p->d, -EINVAL, "%s: no job in it; a job begins with [its name]",
				p->files.n == 1 ? p->files.v[0] : "the job files");
	return diag_err(p->d, -EINVAL, "no job: name a job file, or begin a job with --name=NAME");
}

static void parse_fini(struct parser *p)
{
	opt_fini(&cmdline_flags, &p->flags);
	free(p->flags.topic);
	free(p->defaults.v);
	free(p->sets.v);
	free(p->files.v);
	free(p->selected.v);
	free(p->assertions.v);
	output_args_fini(&p->outputs);
	jobfile_fini(&p->jobs);
}

bool cmdline_as_fio(const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;

	return program && !strcmp(slash ? slash + 1 : program, "fio");
}

static int parse(struct parser *p, const struct jobfile_source *from, struct cmdline *c)
{
	struct job_set *set = p->set;
	int err;

	set->arena.shared = true; /* else each fork copies the page tables of every section */
	set->argc = p->argc;
	set->argv = p->argv;
	set->run.as_fio = cmdline_as_fio(p->argv[0]);
	err = opt_defaults(&cmdline_flags, &p->flags, p->d);
	err = err ? err : parse_arguments(p, c);
	if (err)
		copy_output_flags(p);
	if (!err && (c->verb == VERB_RUN || c->verb == VERB_CHECK)) {
		err = cmdline_run_opts(p->set, &p->flags, &p->outputs, &p->assertions, p->d);
		err = err ? err : make_jobs(p, from);
		err = err ? err : check_notes_and_jobs(p);
	}
	parse_fini(p);
	return err;
}

int cmdline_parse_from(const struct jobfile_source *from, struct cmdline *c, struct job_set *set, int argc,
		       char *const *argv, struct diag *d)
{
	struct parser p = { .set = set, .d = d, .argc = argc, .argv = argv, .flags = { .verb = VERB_RUN } };

	return parse(&p, from, c);
}

int cmdline_parse_preset(const struct cmdline_preset *preset, const struct jobfile_source *from,
			 struct cmdline *c, struct job_set *set, int argc, char *const *argv, struct diag *d)
{
	struct parser p = { .set = set, .d = d, .argc = argc, .argv = argv, .flags = { .verb = VERB_RUN } };

	p.preset = preset;
	set->run.preset = preset->name;
	set->run.reading = preset->reading;
	return parse(&p, from, c);
}

int cmdline_parse(struct cmdline *c, struct job_set *set, int argc, char *const *argv, struct diag *d)
{
	return cmdline_parse_from(&jobfile_files, c, set, argc, argv, d);
}
