/* assertion_parse.c: the text of an assertion: path, operator, limit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "vec.h"

#define FORM                                                                                                \
	"[JOB.][LIST[ENTRY].]DIRECTION.FIGURE OP LIMIT, such as 'read.clat.p99 < 1ms', 'JOB.write.iops >= " \
	"3000' or "                                                                                         \
	"'errors == 0'; OP is <, <=, >, >=, == or !="

/* Finds the last operator, because names may contain its characters. Returns its first character, and sets
 *limit to the text behind it; NULL: there is none. */
static const char *find_op(const char *text, enum limit_op *op, const char **limit)
{
	const char *at = text + strlen(text);

	while (at > text && !strchr("<>=!", at[-1]))
		at--;
	if (at == text)
		return NULL;
	*limit = at--;
	if (*at == '<' || *at == '>') {
		*op = *at == '<' ? LIMIT_LT : LIMIT_GT;
		return at;
	}
	if (*at == '!' || at == text)
		return NULL;
	for (unsigned i = 0; i <= LIMIT_NE; i++)
		if (limit_op_name[i][1] && at[-1] == limit_op_name[i][0]) {
			*op = (enum limit_op)i;
			return at - 1;
		}
	return NULL;
}

static const char *example_of(enum limit_unit unit)
{
	switch (unit) {
	case LIMIT_COUNT:
		return "a number, such as 0 or 20k";
	case LIMIT_RATE:
		return "I/Os per second, such as 3000 or 20k";
	case LIMIT_BW:
		return "bytes per second, such as 200M or 100MiB/s";
	case LIMIT_BYTES:
		return "bytes, such as 4096 or 1GiB";
	case LIMIT_TIME:
		return "a time with its unit, such as 500us or 2ms";
	case LIMIT_PERCENT:
		return "a percentage, such as 50%";
	}
	return "";
}

/* Removes the spaces between a number and its unit: "5 ms". */
static void join_unit(char *limit)
{
	char *unit = limit + strspn(limit, "-.0123456789");

	memmove(unit, unit + strspn(unit, " "), strlen(unit + strspn(unit, " ")) + 1);
}

static int parse_limit(struct assertion *a, const char *text, struct diag *d)
{
	size_t len;
	char *copy;
	bool negative;
	int err;

	text += strspn(text, " ");
	for (len = strlen(text); len && text[len - 1] == ' ';)
		len--;
	copy = strndup(text, len);
	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	join_unit(copy);
	negative = *copy == '-' && (a->figure->unit == LIMIT_COUNT || a->figure->unit == LIMIT_PERCENT);
	err = limit_parse(a->figure->unit, copy + negative, &a->limit);
	if (negative)
		a->limit = -a->limit;
	if (err)
		diag_err(d, err, "--assert='%s': '%s' is not a limit for this figure; write %s", a->text,
			 copy, example_of(a->figure->unit));
	free(copy);
	return err;
}

static void free_names(struct assertion *a)
{
	selector_fini(&a->part);
	selector_fini(&a->entry);
}

int assertion_parse(struct assertions *list, const char *text, struct diag *d)
{
	struct assertion a = { .text = text, .dir = DIR_COUNT, .kind = LAT_KINDS };
	const char *name = text + strspn(text, " "), *limit, *end = find_op(name, &a.op, &limit);
	int err;

	while (end && end > name && end[-1] == ' ')
		end--;
	if (!end || end == name)
		return diag_err(d, -EINVAL, "--assert='%s': an assertion has the form " FORM, text);
	err = assertion_path(&a, name, end, d);
	if (!err)
		err = parse_limit(&a, limit, d);
	if (!err && !VEC_PUSH(list, a))
		err = diag_err(d, -ENOMEM, "out of memory");
	if (err)
		free_names(&a);
	return err;
}

void assertions_fini(struct assertions *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_names(&list->v[i]);
	free(list->v);
	*list = (struct assertions){ 0 };
}
