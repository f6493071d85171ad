/* diskspd_sweep.c: fiord diskspd --to-sweep: turns the loops of a script into a command of fiord sweep. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmd_diskspd.h"
#include "strbuf.h"

/* Returns whether the argument belongs to the script, which the sweep does not read. *more: so does the next
   one. */
static bool is_of_script(const struct ds_cmd *c, const char *arg, bool *more)
{
	static const char *const options[] = { "--line", "--define" };

	*more = false;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		size_t n = strlen(options[i]);

		if (strncmp(arg, options[i], n) || (arg[n] && arg[n] != '='))
			continue;
		*more = !arg[n];
		return true;
	}
	return !strcmp(arg, "-") || !strcmp(arg, "--") || !strcmp(arg, "--to-sweep") || arg == c->line_text;
}

/* Adds the options of fiord diskspd that hold for the runs, such as --map. */
static void put_options(const struct ds_cmd *c, struct strbuf *out)
{
	bool more;

	if (c->as_diskspd)
		strbuf_puts(out, " --recreate");
	for (int i = c->as_diskspd ? 1 : 2; i < c->argc; i++) {
		if (is_of_script(c, c->argv[i], &more)) {
			i += more;
			continue;
		}
		strbuf_putc(out, ' ');
		strbuf_quoted(out, c->argv[i]);
	}
}

/* Checks the line with the first or the last value of each loop. */
static int check_end_point(const struct ds_cmd *c, const struct script_loops *loops,
			   const struct shell_line *line, bool last, struct diag *d)
{
	const char **argv = calloc((size_t)line->argc + 1, sizeof(*argv));
	struct ds_line parsed = { 0 };
	struct arena mem = { 0 };
	struct notes notes = { 0 };
	int err = argv ? 0 : diag_no_memory(d);

	for (int i = 0; i < line->argc && !err; i++) {
		argv[i] = script_end_point(loops, line->argv[i], last, &mem);
		err = argv[i] ? 0 : diag_no_memory(d);
	}
	if (!err) {
		err = ds_line_parse(&parsed, c->dialect, line->argc, argv, &notes, d);
		if (!err)
			ds_line_fini(&parsed);
	}
	notes_fini(&notes);
	arena_fini(&mem);
	free(argv);
	return err;
}

static int put_sweep(const struct ds_cmd *c, const struct script_loops *loops, const struct script *s,
		     struct strbuf *out, struct diag *d)
{
	struct strbuf line = { 0 };
	struct notes notes = { 0 };
	int err;

	strbuf_puts(out, "fiord sweep");
	err = script_sweep(loops, s, out, &line, d);
	err = err ? err : check_end_point(c, loops, &s->v[0].command, false, d);
	err = err ? err : check_end_point(c, loops, &s->v[0].command, true, d);
	if (!err) {
		strbuf_puts(out, " -d sweep diskspd");
		put_options(c, out);
		strbuf_printf(out, "%s\n", strbuf_str(&line));
		ds_script_notes(s, 0, &notes);
		for (size_t i = 0; i < notes.count; i++)
			strbuf_printf(out, "# %s\n", notes.line[i]);
		err = out->failed || line.failed ? diag_no_memory(d) : 0;
	}
	notes_fini(&notes);
	strbuf_fini(&line);
	return err;
}

int ds_to_sweep(struct ds_cmd *c, const char *script, struct diag *d)
{
	struct strbuf text = { 0 }, out = { 0 };
	struct script_loops loops = { 0 };
	struct script s = { 0 };
	int code;

	if (script_remove_loops(&loops, script, &c->vars, &text, d) ||
	    script_read(&s, strbuf_str(&text), &c->vars, d) || put_sweep(c, &loops, &s, &out, d))
		code = ds_exit_code(d);
	else
		code = cmd_put(strbuf_str(&out), d);
	script_fini(&s);
	script_loops_fini(&loops);
	strbuf_fini(&text);
	strbuf_fini(&out);
	return code;
}
