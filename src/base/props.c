#include "props.h"

#include <stdlib.h>
#include <string.h>
#include "vec.h"

static void add_prop(struct props *p, struct prop prop)
{
	if (VEC_PUSH(p, prop))
		return;
	free(prop.text);
	p->failed = true;
}

void props_text(struct props *p, const char *name, const char *text)
{
	struct prop prop = { .name = name, .kind = PROP_TEXT };

	if (!text || !*text)
		return;
	prop.text = strdup(text);
	if (prop.text)
		add_prop(p, prop);
	else
		p->failed = true;
}

void props_u64(struct props *p, const char *name, uint64_t v)
{
	add_prop(p, (struct prop){ .name = name, .kind = PROP_NUMBER, .number = v });
}

void props_bool(struct props *p, const char *name, bool v)
{
	add_prop(p, (struct prop){ .name = name, .kind = PROP_BOOL, .number = v });
}

void props_add(struct props *p, const struct props *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct prop *f = &from->v[i];

		if (f->kind == PROP_TEXT)
			props_text(p, f->name, f->text);
		else
			add_prop(p, *f);
	}
	p->failed = p->failed || from->failed;
}

const struct prop *props_find(const struct props *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!strcmp(p->v[i].name, name))
			return &p->v[i];
	}
	return NULL;
}

const char *props_str(const struct props *p, const char *name)
{
	const struct prop *f = props_find(p, name);

	return f && f->text ? f->text : "";
}

uint64_t props_num(const struct props *p, const char *name, uint64_t unknown)
{
	const struct prop *f = props_find(p, name);

	return f && f->kind != PROP_TEXT ? f->number : unknown;
}

void props_fini(struct props *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].text);
	free(p->v);
	*p = (struct props){ 0 };
}
