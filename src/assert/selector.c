/* selector.c: which entries of a list an assertion means. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"

int selector_set(struct selector *s, const char *from, const char *to, struct diag *d)
{
	s->name = strndup(from, (size_t)(to - from));
	return s->name ? 0 : diag_err(d, -ENOMEM, "out of memory");
}

bool selector_has(const struct selector *s, size_t i, const char *name)
{
	if (s->indexed)
		return s->index == i;
	return !s->name || (name && !strcmp(s->name, name));
}

void selector_fini(struct selector *s)
{
	free(s->name);
	*s = (struct selector){ 0 };
}

/* Returns the end of the name or index: the first bracket, or quote and bracket, that ends the path or stands
   before a period. */
static const char *find_close(const char *at, const char *end, const char *close)
{
	size_t len = strlen(close);

	for (; (size_t)(end - at) >= len; at++)
		if (!strncmp(at, close, len) && (at + len == end || at[len] == '.'))
			return at;
	return NULL;
}

/* Numbers that are too large become one that no list has. */
static bool is_index(const char *from, const char *to, size_t *index)
{
	size_t v = 0;

	for (const char *at = from; at < to; at++)
		if (!isdigit((unsigned char)*at))
			return false;
		else
			v = v > (SIZE_MAX - 9) / 10 ? SIZE_MAX - 1 : v * 10 + (size_t)(*at - '0');
	*index = v;
	return to > from;
}

const char *selector_parse(struct selector *s, const char *at, const char *end, const char *text,
			   struct diag *d)
{
	char quote = at + 1 < end && (at[1] == '"' || at[1] == '\'') ? at[1] : '\0';
	const char close[] = { quote ? quote : ']', quote ? ']' : '\0', '\0' };
	const char *from = at + (quote ? 2 : 1), *to = find_close(from, end, close);

	if (!to || to == from) {
		diag_err(d, -EINVAL,
			 "--assert='%s': '%.*s' does not select an entry; write an index from [0] on, or a "
			 "name, such as [\"data.0\"]",
			 text, (int)(end - at), at);
		return NULL;
	}
	if (!quote && is_index(from, to, &s->index))
		s->indexed = true;
	else if (selector_set(s, from, to, d))
		return NULL;
	return to + strlen(close);
}
