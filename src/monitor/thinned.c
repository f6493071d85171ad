#include "thinned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct thinned *k)
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

static void thin_out(struct thinned *k)
{
	size_t n = 0;

	k->every *= 2;
	for (size_t i = 0; i < k->n; i++) {
		if (k->number[i] % k->every && i + 1 < k->n) {
			k->bytes -= strlen(k->text[i]) + 1;
			free(k->text[i]);
			continue;
		}
		k->text[n] = k->text[i];
		k->number[n++] = k->number[i];
	}
	k->n = n;
}

/* Nothing but what was asked for by hand is left. */
static void drop_first(struct thinned *k)
{
	k->bytes -= strlen(k->text[0]) + 1;
	free(k->text[0]);
	k->n--;
	memmove(k->text, k->text + 1, k->n * sizeof(*k->text));
	memmove(k->number, k->number + 1, k->n * sizeof(*k->number));
}

int thinned_add(struct thinned *k, const char *text, size_t most_bytes, int always)
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
	k->number[k->n++] = always ? 0 : k->taken;
	k->bytes += strlen(copy) + 1;
	while (k->bytes > most_bytes && k->n > 1 && k->every <= k->taken)
		thin_out(k);
	while (k->bytes > most_bytes && k->n > 1)
		drop_first(k);
	return 0;
}

void thinned_free(struct thinned *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->text[i]);
	free(k->text);
	free(k->number);
	*k = (struct thinned){ 0 };
}
