/* trend_key.c: the keys of --by. */
#include "trend.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "nearest.h"

static const char *const plain_keys[] = { "time",
					  "version",
					  "environment.host",
					  "environment.os",
					  "environment.kernel",
					  "environment.arch",
					  "environment.cpu",
					  NULL };

static const char *after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return !strncmp(text, prefix, len) && text[len] ? text + len : NULL;
}

/* Returns the key that may be meant, NULL: none. "kernel" is environment.kernel. */
static const char *near_key(const char *by)
{
	for (size_t i = 0; plain_keys[i]; i++) {
		const char *name = after(plain_keys[i], "environment.");

		if (name && !strcmp(name, by))
			return plain_keys[i];
	}
	return nearest_word(plain_keys, by);
}

int trend_key_check(const char *by, struct diag *d)
{
	const char *near = near_key(by);

	if (word_find(plain_keys, by, strlen(by)) >= 0 || after(by, "environment.") || after(by, "device.") ||
	    after(by, "option."))
		return 0;
	return diag_err(
		d, -EINVAL,
		"--by=%s: there is no such key%s%s%s; keys are time, version, environment.NAME (host, "
		"kernel, ...), device.NAME (model, firmware, ...) and option.NAME of the jobs",
		by, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static const char *prop_value(struct arena *a, const struct props *props, const char *name)
{
	const struct prop *p = props_find(props, name);

	if (!p)
		return NULL;
	if (p->kind == PROP_TEXT)
		return arena_strdup(a, p->text);
	if (p->kind == PROP_BOOL)
		return p->number ? "yes" : "no";
	return arena_printf(a, "%" PRIu64, p->number);
}

static const char *known(struct arena *a, const char *text)
{
	return text && *text ? arena_strdup(a, text) : NULL;
}

static const char *environment_value(struct arena *a, const struct result_env *e, const char *name)
{
	if (!strcmp(name, "host"))
		return known(a, e->host);
	if (!strcmp(name, "os"))
		return known(a, e->os);
	if (!strcmp(name, "kernel"))
		return known(a, e->kernel);
	if (!strcmp(name, "arch"))
		return known(a, e->arch);
	if (!strcmp(name, "cpu"))
		return known(a, e->cpu);
	return prop_value(a, &e->props, name);
}

/* Returns the fact of the first device that has it. */
static const char *device_value(struct arena *a, const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->ntargets; i++)
		for (unsigned k = 0; k < r->targets[i].ndevs; k++) {
			const char *v = prop_value(a, &r->targets[i].devs[k].props, name);

			if (v)
				return v;
		}
	return NULL;
}

static const char *last_option(const struct result_opt *opt, size_t n, const char *name)
{
	while (n-- > 0)
		if (!strcmp(opt[n].name, name))
			return opt[n].value && *opt[n].value ? opt[n].value : "1";
	return NULL;
}

/* Returns the option of the first job that has it, or the global one. */
static const char *option_value(struct arena *a, const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->njobs; i++) {
		const char *v = last_option(r->jobs[i]->options, r->jobs[i]->noptions, name);

		if (v)
			return arena_strdup(a, v);
	}
	return known(a, last_option(r->globals, r->nglobals, name));
}

const char *trend_key_value(struct arena *a, const struct result *r, const char *by)
{
	const char *name;

	if (!strcmp(by, "version"))
		return known(a, r->version);
	if ((name = after(by, "environment.")))
		return environment_value(a, &r->env, name);
	if ((name = after(by, "device.")))
		return device_value(a, r, name);
	name = after(by, "option.");
	return name ? option_value(a, r, name) : NULL;
}
