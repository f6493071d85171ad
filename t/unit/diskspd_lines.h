/* diskspd_lines.h: calls a function for each accepted line of t/diskspd. */
#ifndef DISKSPD_LINES_H
#define DISKSPD_LINES_H

#include "diskspd_show.h"
#include "shell.h"
#include "strbuf.h"

typedef void ds_line_fn(const char *text, struct ds_line *l);

static inline int parse_text(struct ds_line *l, enum ds_dialect dialect, const char *text, struct diag *d)
{
	struct shell_line s;
	int ret = shell_split(&s, text, NULL, d);

	if (!ret)
		ret = ds_line_parse(l, dialect, s.argc, (const char *const *)s.argv, NULL, d);
	shell_fini(&s);
	return ret;
}

static inline unsigned with_line(ds_line_fn *fn, enum ds_dialect dialect, const char *text)
{
	struct ds_line l;
	struct diag d = { 0 };
	unsigned complete;

	if (parse_text(&l, dialect, text, &d))
		fail_msg("%s: %s", text, diag_text(&d));
	complete = !l.xml_file && l.profile.spans->ntargets;
	if (complete)
		fn(text, &l);
	ds_line_fini(&l);
	return complete;
}

/* Includes the published lines and those that look wrong. Returns the number of calls; lines without targets
 * are left out. */
static inline unsigned ds_each_line(ds_line_fn *fn)
{
	char *text = ds_table("cmdlines.txt"), *save = NULL;
	const char *line = NULL;
	unsigned n = 0;

	for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		if (*row == '=')
			n += with_line(fn,
				       strncmp(row, "=linux-port ", 12) ? DS_DIALECT_23 : DS_DIALECT_LINUX,
				       line);
		if (!strchr("#=!", *row))
			line = row;
	}
	free(text);
	text = ds_table("accepted.tsv");
	for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		char *words = row + strcspn(row, "\t");
		enum ds_dialect dialect;

		if (*row == '#' || !*words)
			continue;
		*words++ = '\0';
		words[strcspn(words, "\t")] = '\0';
		assert_int_equal(ds_dialect_of(row, &dialect), 0);
		struct strbuf b = { 0 };

		strbuf_printf(&b, "diskspd %s", words);
		n += with_line(fn, dialect, strbuf_str(&b));
		strbuf_fini(&b);
	}
	free(text);
	return n;
}

#endif
