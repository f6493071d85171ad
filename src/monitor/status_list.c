#include "status_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"

static void drop_oldest(struct status_list *l)
{
	l->bytes -= strlen(l->v[0]) + 1;
	free(l->v[0]);
	l->n--;
	memmove(l->v, l->v + 1, l->n * sizeof(*l->v));
	l->dropped++;
}

int status_list_add(struct status_list *l, const char *text, size_t max_bytes)
{
	char *copy = strdup(text);

	if (!copy || !VEC_PUSH(l, copy)) {
		free(copy);
		return -ENOMEM;
	}
	l->bytes += strlen(text) + 1;
	while (l->bytes > max_bytes && l->n > 1)
		drop_oldest(l);
	return 0;
}

void status_list_fini(struct status_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	*l = (struct status_list){ 0 };
}
