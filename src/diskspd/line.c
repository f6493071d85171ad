/* line.c: parses a command line. Like DISKSPD it goes over the options twice, then over the targets, and
   then checks the whole line. */
#include <errno.h>
#include <string.h>
#include "line.h"
#include "parse.h"
#include "profile.h"

static const char *const dialect_names[] = { "2.3", "2.2", "2.0", "linux-port" };

int ds_dialect_of(const char *name, enum ds_dialect *out)
{
	for (size_t i = 0; i < sizeof(dialect_names) / sizeof(dialect_names[0]); i++) {
		if (!strcmp(name, dialect_names[i])) {
			*out = (enum ds_dialect)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *ds_dialect_name(enum ds_dialect dialect)
{
	return dialect_names[dialect];
}

static bool is_option(const char *arg)
{
	return arg[0] == '-';
}

static int read_option(struct ds_parse *p, int pass)
{
	const char *arg = p->argv[p->at], *rest;

	p->flag = ds_flag_find(p->l->dialect, arg);
	if (!p->flag)
		return hint_unknown(p, arg);
	if (p->flag->first_pass != (pass == 1))
		return 0;
	if (pass == 2 || p->flag->read == ds_read_block)
		p->excludes_xml = true;
	if (p->l->xml_file && pass == 2)
		return parse_err(p, "not possible beside an XML profile (-X), which accepts only -W -d -C -z "
				    "-v -R and targets for its *1 *2 ...");
	rest = arg + strlen(p->flag->form);
	if (*rest && ds_flag_bare(p->l->dialect, p->flag))
		parse_note(p, "%s is read as %s", arg, p->flag->form);
	return p->flag->read(p, rest);
}

/* An option behind the first target. diskspd-for-linux reads it; DISKSPD 2.0 reads only -b there, and ignores
   the others; since 2.1 it is an error. */
static int read_late_option(struct ds_parse *p, int pass)
{
	const char *arg = p->argv[p->at];

	if (p->l->dialect == DS_DIALECT_LINUX)
		return read_option(p, pass);
	if (p->l->dialect != DS_DIALECT_20)
		return hint_after_target(p);
	if (!strncmp(arg, "-b", 2))
		return read_option(p, pass);
	if (pass == 2)
		parse_note(p, "%s has no effect: DISKSPD 2.0 reads only -b behind the first target", arg);
	return 0;
}

static int read_options(struct ds_parse *p, int pass)
{
	bool target = false;
	int ret = 0;

	for (p->at = 0; p->at < p->argc && !ret; p->at++) {
		if (!is_option(p->argv[p->at]))
			target = true;
		else if (target)
			ret = read_late_option(p, pass);
		else
			ret = read_option(p, pass);
	}
	return ret;
}

static bool wants_usage(const struct ds_parse *p)
{
	for (int i = 0; i < p->argc; i++)
		if (!strncmp(p->argv[i], "-?", 2))
			return true;
	return false;
}

/* Splits the arguments like getopt in diskspd-for-linux: a value may follow its option as the next
   argument, and options without values may be joined (-vL). out has room for every character of every
   argument. Returns the new argc, or -ENOMEM. */
static int split_as_getopt(int argc, const char *const *argv, struct arena *mem, const char **out)
{
	char letter[] = "-?";
	int n = 0;

	for (int i = 0; i < argc; i++) {
		const char *arg = argv[i];
		const struct ds_flag *f = ds_flag_find(DS_DIALECT_LINUX, arg);

		for (; f && !f->value[0] && arg[2]; arg++) {
			out[n++] = f->form;
			letter[1] = arg[2];
			f = ds_flag_find(DS_DIALECT_LINUX, letter);
		}
		if (arg != argv[i] && !(arg = arena_printf(mem, "-%s", arg + 1)))
			return -ENOMEM;
		if (f && !strcmp(f->form, arg) && f->value[0] == '<' && i + 1 < argc)
			arg = arena_printf(mem, "%s%s", arg, argv[++i]);
		if (!arg)
			return -ENOMEM;
		out[n++] = arg;
	}
	return n;
}

/* Refuses repeated options, as diskspd-for-linux does. */
static int check_repeated(struct ds_parse *p)
{
	for (p->at = 0; p->at < p->argc; p->at++) {
		const struct ds_flag *f = ds_flag_find(p->l->dialect, p->argv[p->at]);

		for (int i = 0; f && i < p->at; i++)
			if (ds_flag_find(p->l->dialect, p->argv[i]) == f)
				return parse_err(p, "diskspd-for-linux accepts %s only once", f->form);
	}
	return 0;
}

static int add_targets(struct ds_parse *p)
{
	struct ds_span *s = p->span;
	struct arena *mem = &p->l->profile.mem;
	int ret = 0;

	s->targets = arena_array(mem, (size_t)p->argc, sizeof(*s->targets));
	if (!s->targets)
		return diag_err(p->d, -ENOMEM, "out of memory");
	for (p->at = 0; p->at < p->argc && !ret; p->at++) {
		struct ds_target *t = &s->targets[s->ntargets];

		if (is_option(p->argv[p->at]))
			continue;
		ret = hint_target(p);
		*t = p->target;
		t->path = arena_strdup(mem, p->argv[p->at]);
		if (!t->path)
			return diag_err(p->d, -ENOMEM, "out of memory");
		s->ntargets++;
	}
	return ret;
}

#define PORT_ALIGNMENT 65536

/* Sets the fields that depend on several options. */
static void set_dependent_fields(struct ds_parse *p)
{
	struct ds_target *t = &p->target;

	t->pattern = p->zero_given ? DS_ZERO : t->pool_size ? DS_RANDOM : DS_SEQUENTIAL;
	if (p->l->dialect != DS_DIALECT_LINUX)
		return;
	if (t->random_percent && !t->stride && t->block != PORT_ALIGNMENT)
		parse_note(
			p,
			"-r alone aligns to 64 KiB in diskspd-for-linux, whatever the block is; -r%ju aligns "
			"to the block",
			(uintmax_t)t->block);
	if (t->random_percent && !t->stride)
		t->stride = PORT_ALIGNMENT;
	if (t->thread_stride &&
	    (t->random_percent || (p->span->threads ? p->span->threads : t->threads) < 2)) {
		parse_note(p, "-T has no effect: there is one thread per target, or the I/O is random");
		t->thread_stride = 0;
	}
}

static bool needs_no_target(const struct ds_line *l)
{
	return l->usage || l->no_arguments || l->signals.set || l->xml_file || l->show == DS_SHOW_SYSTEM;
}

static int check_line(struct ds_parse *p)
{
	struct ds_line *l = p->l;
	struct ds_check_cfg c = { .allow_templates = l->show == DS_SHOW_PROFILE };
	int ret;

	if (l->xml_file && p->excludes_xml)
		return diag_err(p->d, -EINVAL,
				"-X%s: beside an XML profile only -W -d -C -z -v -R are possible: leave the "
				"other options (-b and so on) out",
				l->xml_file);
	if (!p->span->ntargets && !needs_no_target(l))
		return diag_err(p->d, -EINVAL,
				"no target: name a file after the options, such as testfile.dat");
	if (needs_no_target(l))
		return 0;
	ret = ds_profile_check(&c, &l->profile, p->notes, p->d);
	for (size_t i = 0; i < p->span->ntargets && !ret; i++)
		if (!ds_add_last_range(&l->profile, &p->span->targets[i]))
			ret = diag_err(p->d, -ENOMEM, "out of memory");
	return ret;
}

static int parse_all(struct ds_parse *p)
{
	int ret = p->l->dialect == DS_DIALECT_LINUX ? check_repeated(p) : 0;

	if (!ret)
		ret = read_options(p, 1);
	if (!ret)
		ret = read_options(p, 2);
	if (ret)
		return ret;
	set_dependent_fields(p);
	ret = add_targets(p);
	return ret ? ret : check_line(p);
}

int ds_line_parse(struct ds_line *l, enum ds_dialect dialect, int argc, const char *const *argv,
		  struct notes *notes, struct diag *d)
{
	struct ds_parse p = { .l = l, .argv = argv, .argc = argc, .notes = notes, .d = d };
	const char **split;
	size_t room = 1;
	int ret = 0;

	memset(l, 0, sizeof(*l));
	l->dialect = dialect;
	p.span = ds_profile_init(&l->profile);
	for (int i = 0; dialect == DS_DIALECT_LINUX && i < argc; i++)
		room += strlen(argv[i]) + 1;
	split = arena_array(&l->profile.mem, room, sizeof(*split));
	if (!p.span || !split) {
		ds_line_fini(l);
		return diag_err(d, -ENOMEM, "out of memory");
	}
	ds_target_init(&p.target);
	if (dialect == DS_DIALECT_LINUX) {
		p.argc = split_as_getopt(argc, argv, &l->profile.mem, split);
		p.argv = split;
	}
	l->no_arguments = !argc;
	if (p.argc < 0)
		ret = diag_err(d, -ENOMEM, "out of memory");
	else if (wants_usage(&p))
		l->usage = true;
	else if (argc)
		ret = parse_all(&p);
	if (ret)
		ds_line_fini(l);
	return ret;
}

void ds_line_fini(struct ds_line *l)
{
	ds_profile_fini(&l->profile);
	memset(l, 0, sizeof(*l));
}

/* ---- applies the options of a line with -X to the profile ---- */

static void override(const struct ds_line *l, struct ds_span *to)
{
	const struct ds_span *from = l->profile.spans;

	if (l->warmup_given)
		to->warmup_s = from->warmup_s;
	if (l->duration_given)
		to->duration_s = from->duration_s;
	if (l->cooldown_given)
		to->cooldown_s = from->cooldown_s;
	if (l->seed_given) {
		to->seed = from->seed;
		to->seed_clock = from->seed_clock;
	}
}

static void override_all(const struct ds_line *l, struct ds_profile *xml)
{
	for (size_t i = 0; i < xml->nspans; i++)
		override(l, &xml->spans[i]);
	if (l->verbose_given)
		xml->verbose = l->profile.verbose;
	if (l->verbose_stats_given)
		xml->verbose_stats = l->profile.verbose_stats;
	if (l->format_given)
		xml->format = l->profile.format;
	if (l->experiments_given)
		xml->experiment_flags = l->profile.experiment_flags;
}

/* Returns the highest template number in the profile; 0: none, -1: a name begins with * and is not a
   template. */
static int highest_template(const struct ds_profile *p)
{
	int max = 0;

	for (size_t i = 0; i < p->nspans; i++) {
		for (size_t k = 0; k < p->spans[i].ntargets; k++) {
			const char *path = p->spans[i].targets[k].path;
			int n = path ? ds_template_number(path) : 0;

			if (n < 0)
				return -1;
			max = n > max ? n : max;
		}
	}
	return max;
}

static int substitute(const struct ds_line *l, struct ds_profile *xml, struct diag *d)
{
	const struct ds_span *given = l->profile.spans;

	for (size_t i = 0; i < xml->nspans; i++) {
		for (size_t k = 0; k < xml->spans[i].ntargets; k++) {
			char **path = &xml->spans[i].targets[k].path;
			int n = *path ? ds_template_number(*path) : 0;

			if (n < 1 || (size_t)n > given->ntargets)
				continue;
			*path = arena_strdup(&xml->mem, given->targets[n - 1].path);
			if (!*path)
				return diag_err(d, -ENOMEM, "out of memory");
		}
	}
	return 0;
}

int ds_line_apply(const struct ds_line *l, struct ds_profile *xml, struct notes *notes, struct diag *d)
{
	struct ds_check_cfg c = { .xml_names = true, .allow_templates = l->show == DS_SHOW_PROFILE };
	size_t given = l->profile.spans->ntargets;
	int wanted = highest_template(xml), ret = 0;

	if (wanted >= 0 && given > (size_t)wanted)
		ret = diag_err(
			d, -EINVAL,
			"-X%s: %zu targets are given, but the profile has %d template%s (*1 ...) to fill",
			l->xml_file, given, wanted, wanted == 1 ? "" : "s");
	else if (wanted >= 0 && given < (size_t)wanted && !c.allow_templates)
		ret = diag_err(d, -EINVAL,
			       "-X%s: the profile has templates up to *%d: name as many targets after it "
			       "(%zu given)",
			       l->xml_file, wanted, given);
	if (!ret)
		ret = substitute(l, xml, d);
	if (ret)
		return ret;
	override_all(l, xml);
	ret = ds_profile_check(&c, xml, notes, d);
	return ret ? diag_wrap(d, "%s", l->xml_file) : 0;
}
