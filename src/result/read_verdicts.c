/* read_verdicts.c: reads the verdicts of assertions. They stay as they were judged. */
#include <errno.h>
#include <string.h>
#include "read_parts.h"

/* Returns the word of the list that the key has; the first one, with an error, if it has another. */
static unsigned read_word(struct reader *rd, const struct read_object *o, const char *key,
			  const char *const *words, unsigned n)
{
	const char *text = "";

	read_text(rd, o, key, &text);
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(words[i], text))
			return i;
	read_fail(rd, -EINVAL, key, "this word is not known");
	return 0;
}

static void read_verdict(struct reader *rd, const struct read_object *o, struct result_verdict *v)
{
	read_text(rd, o, "assertion", &v->assertion);
	read_text(rd, o, "of", &v->of);
	read_text(rd, o, "figure", &v->figure);
	read_text(rd, o, "not_measured", &v->why);
	read_double(rd, o, "measured", &v->measured);
	read_double(rd, o, "limit", &v->limit);
	read_bool(rd, o, "passed", &v->passed);
	v->op = limit_op_name[read_word(rd, o, "operator", limit_op_name, LIMIT_NE + 1)];
	v->unit = (enum limit_unit)read_word(rd, o, "unit", limit_unit_name, LIMIT_PERCENT + 1);
}

void read_verdicts(struct reader *rd, const struct read_object *document)
{
	struct json_iter it = read_array(rd, document, "assertions");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_verdict v = { .assertion = "", .figure = "" };

		if (!read_charge(rd, 4 * sizeof(v)) || !read_open_at(rd, &o, it.value, "assertions", i))
			return;
		read_verdict(rd, &o, &v);
		read_close(rd, &o);
		if (!rd->err && !result_add_verdict(rd->r, &v))
			read_fail(rd, -ENOMEM, NULL, "out of memory");
	}
}
