/* fuzz_diskspd_shell: the input is a text with pasted lines. */
#include <stdint.h>
#include <stdlib.h>
#include "line.h"
#include "script.h"
#include "strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The arguments go to DISKSPD's parser. */
static void parse(const struct shell_line *s)
{
	struct ds_line l;
	struct diag d = { 0 };

	if (s->argv[s->argc])
		abort();
	if (!ds_line_parse(&l, DS_DIALECT_23, s->argc, (const char *const *)s->argv, NULL, &d))
		ds_line_fini(&l);
	diag_fini(&d);
}

static void one_line(const char *line)
{
	struct shell_line s;
	struct diag d = { 0 };

	if (!shell_split(&s, line, NULL, &d))
		parse(&s);
	else if (!d.text)
		abort();
	shell_fini(&s);
	diag_fini(&d);
}

static void whole_script(const char *text)
{
	struct shell_vars vars = { 0 };
	struct script s;
	struct diag d = { 0 };

	if (shell_vars_define(&vars, "x=/mnt/a b", &d))
		abort();
	if (script_read(&s, text, &vars, &d)) {
		if (!d.text)
			abort();
	} else {
		for (size_t i = 0; i < s.n; i++)
			parse(&s.v[i].command);
	}
	script_fini(&s);
	shell_vars_fini(&vars);
	diag_fini(&d);
}

/* The sweep that does the same as the loops of the script. */
static void sweep(const char *text)
{
	struct strbuf flat = { 0 }, options = { 0 }, line = { 0 };
	struct shell_vars vars = { 0 };
	struct script_loops loops;
	struct script s = { 0 };
	struct arena mem = { 0 };
	struct diag d = { 0 };

	if (script_remove_loops(&loops, text, &vars, &flat, &d) ||
	    script_read(&s, strbuf_str(&flat), &vars, &d) || script_sweep(&loops, &s, &options, &line, &d)) {
		if (!d.text)
			abort();
	} else {
		for (int i = 0; i < 2 * s.v[0].command.argc; i++)
			script_end_point(&loops, s.v[0].command.argv[i / 2], i % 2, &mem);
	}
	script_fini(&s);
	script_loops_fini(&loops);
	shell_vars_fini(&vars);
	arena_fini(&mem);
	strbuf_fini(&flat);
	strbuf_fini(&options);
	strbuf_fini(&line);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = { 0 };
	struct diag d = { 0 };

	if (!encoding_decode((const char *)data, size, &text, &d)) {
		whole_script(strbuf_str(&text));
		sweep(strbuf_str(&text));
		/* As a single line, too. */
		one_line(strbuf_str(&text));
	}
	strbuf_fini(&text);
	diag_fini(&d);
	return 0;
}
