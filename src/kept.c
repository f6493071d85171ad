#include "kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct kept *k)
{
	size_t cap = k->cap ? 2 * k->cap : 64;
	char **text = realloc(k->text, cap * sizeof(*text));
	uint64_t *number;

	if (!text)
		return -ENOMEM;
	k->text = text;
	number = realloc(k->number, cap * sizeof(*number));
	if (!number)
		return -ENOMEM;
	k->number = number;
	k->cap = cap;
	return 0;
}

static void thin_out(struct kept *k)
{
	size_t n = 0;

	k->every *= 2;
	for (size_t i = 0; i < k->n; i++) {
		if (k->number[i] % k->every) {
			k->bytes -= strlen(k->text[i]) + 1;
			free(k->text[i]);
			continue;
		}
		k->text[n] = k->text[i];
		k->number[n++] = k->number[i];
	}
	k->n = n;
}

int kept_add(struct kept *k, const char *text, size_t most_bytes, int always)
{
	char *copy;

	k->every = k->every ? k->every : 1;
	k->taken++;
	if (k->taken % k->every && !always)
		return 0;
	if (k->n == k->cap && grow(k))
		return -ENOMEM;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	k->text[k->n] = copy;
	k->number[k->n++] = k->taken;
	k->bytes += strlen(copy) + 1;
	while (k->bytes > most_bytes && k->n > 1)
		thin_out(k);
	return 0;
}

void kept_free(struct kept *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->text[i]);
	free(k->text);
	free(k->number);
	*k = (struct kept){ 0 };
}
