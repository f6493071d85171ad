/* cmd_preset.c: fiord preset: runs, checks, shows or lists the job files that are compiled in. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"
#include "presets.h"
#include "strbuf.h"
#include "verbs.h"

#define PATH_FORMAT "jobs/%s.ini"

static int run_preset(int argc, char *const *argv, struct diag *d);
static const char *word(size_t i);

const struct verb verb_preset = {
	.name = "preset",
	.synopsis = "preset list|NAME [OPTION...]",
	.help = "run a workload that comes with fiord",
	.usage = "fiord preset NAME [OPTION...]        run it\n"
		 "fiord preset check NAME [OPTION...]  print its plan, touch nothing\n"
		 "fiord preset show NAME               print its job file\n"
		 "fiord preset list                    list the presets\n\n"
		 "  fiord preset latency --directory=/mnt/data --size=10g --runtime=60\n\n"
		 "Options of jobs override the preset's job file in all of its jobs; options of the run, "
		 "such as\n"
		 "--output-format, are those of fiord. A note after the report names the figure that counts. "
		 "A\n"
		 "preset overwrites no file that fiord did not create, unless --allow_write=FILE permits "
		 "it.\n",
	.word = word,
	.run = run_preset,
};

static const char *word(size_t i)
{
	static const char *const first[] = { "list", "show", "check" };

	return i < 3 ? first[i] : presets[i - 3].name;
}

/* Loads job text: that of a preset, or of a file that the user's options include. */
static int load_preset(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	for (const struct preset *p = presets; p->name; p++) {
		char name[64];

		snprintf(name, sizeof(name), PATH_FORMAT, p->name);
		if (strcmp(name, path))
			continue;
		strbuf_puts(out, preset_text(p->name));
		return out->failed ? -ENOMEM : 0;
	}
	return jobfile_load(path, out);
}

static int put_help(struct diag *d)
{
	struct strbuf b = { 0 };

	verb_help(&verb_preset, &b);
	return cmd_put_buffer(&b, d);
}

static int put_list(struct diag *d)
{
	struct strbuf b = { 0 };

	for (const struct preset *p = presets; p->name; p++)
		strbuf_printf(&b, "%-16s %s\n", p->name, p->title);
	return cmd_put_buffer(&b, d);
}

static const struct preset *find_preset(const char *name, struct diag *d)
{
	const struct preset *p = name ? preset_find(name) : NULL;
	const char *near = name ? preset_nearest(name) : NULL;
	struct strbuf names = { 0 };

	if (!name)
		diag_err(d, -EINVAL,
			 "fiord preset needs the name of a preset; fiord preset list prints their names");
	else if (near && !p)
		diag_err(d, -EINVAL,
			 "no preset '%.60s'; did you mean '%s'? fiord preset list prints their names", name,
			 near);
	else if (!p) {
		for (const struct preset *all = presets; all->name; all++)
			strbuf_printf(&names, "%s%s", all == presets ? "" : ", ", all->name);
		diag_err(d, -EINVAL, "no preset '%.60s'; the presets are %s", name, strbuf_str(&names));
	}
	strbuf_fini(&names);
	return p;
}

static int show(int argc, char *const *argv, struct diag *d)
{
	const struct preset *p = find_preset(argv[3], d);

	if (p && argc > 4)
		diag_err(d, -EINVAL, "%.60s: fiord preset show takes only the name of a preset", argv[4]);
	return d->err ? EXIT_USAGE : cmd_put(preset_text(p->name), d);
}

int cmd_preset_parse(int at, enum cmdline_verb verb, struct cmdline *c, struct job_set *set, int argc,
		     char *const *argv, struct diag *d)
{
	static const struct jobfile_source from = { .load = load_preset };
	const struct preset *p = find_preset(argv[at], d);
	char *path = p ? arena_printf(&set->arena, PATH_FORMAT, p->name) : NULL;

	if (!p)
		return d->err;
	if (!path)
		return diag_no_memory(d);
	return cmdline_parse_preset(&(struct cmdline_preset){ p->name, p->reading, path, at + 1, verb },
				    &from, c, set, argc, argv, d);
}

/* Runs or checks the preset in argv[at], with the options after it. */
static int start(int at, enum cmdline_verb verb, int argc, char *const *argv, struct diag *d)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	int code;

	if (cmd_preset_parse(at, verb, &c, &set, argc, argv, d)) {
		code = cmd_code(d);
		cmd_put_refusal(&set, code, d);
	} else if (c.verb == VERB_RUN)
		code = cmd_run(&set, d);
	else if (c.verb == VERB_CHECK)
		code = cmd_check(&set, d);
	else
		code = c.verb == VERB_HELP && !c.topic ? put_help(d) : cmd_info(&c, &set, d);
	job_set_fini(&set);
	return code;
}

static int run_preset(int argc, char *const *argv, struct diag *d)
{
	const char *word = argc > 2 ? argv[2] : "--help";

	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "-help"))
		return put_help(d);
	if (!strcmp(word, "list") && argc == 3)
		return put_list(d);
	if (!strcmp(word, "list")) {
		diag_err(d, -EINVAL, "%.60s: fiord preset list takes no arguments", argv[3]);
		return EXIT_USAGE;
	}
	if (!strcmp(word, "show"))
		return show(argc, argv, d);
	if (!strcmp(word, "check"))
		return start(3, VERB_CHECK, argc, argv, d);
	return start(2, VERB_RUN, argc, argv, d);
}
