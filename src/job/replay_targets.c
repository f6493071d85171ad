#include "resolve_replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "strbuf.h"
#include "types.h"
#include "vec.h"

#define DEVICES_LISTED 16

/* ---- replay_map ---- */

static int add_target_entry(struct replay_targets *x, struct rule_ctx *r, const char *text, size_t equals)
{
	struct replay_map_entry e = { .device = arena_strndup(&r->set->arena, text, equals),
				      .path = arena_strdup(&r->set->arena, text + equals + 1) };

	if (!e.device || !e.path)
		return diag_no_memory(r->d);
	for (size_t i = 0; i < x->map.n; i++)
		if (!strcmp(x->map.v[i].device, e.device))
			return rule_refuse(r, "replay_map", "names the device %s twice", e.device);
	return VEC_PUSH(&x->map, e) ? 0 : diag_no_memory(r->d);
}

/* Reads an entry, which begins at *text, and moves *text behind it. "\:" and "\=" are a colon and an equals
   sign of a name. */
static int read_entry(struct replay_targets *x, struct rule_ctx *r, const char **text)
{
	struct strbuf b = { 0 };
	size_t equals = SIZE_MAX;
	const char *p = *text;
	int ret;

	for (; *p && *p != ':'; p++) {
		if (*p == '\\' && (p[1] == ':' || p[1] == '='))
			p++;
		else if (*p == '=' && equals == SIZE_MAX)
			equals = b.len;
		strbuf_putc(&b, *p);
	}
	*text = *p ? p + 1 : p;
	if (b.failed)
		ret = diag_no_memory(r->d);
	else if (equals == SIZE_MAX || !equals)
		ret = rule_refuse(r, "replay_map",
				  "write DEVICE=FILE, such as 8,16=/mnt/a/f, or DEVICE= to leave the device "
				  "out; a colon separates several");
	else
		ret = add_target_entry(x, r, strbuf_str(&b), equals);
	strbuf_fini(&b);
	return ret;
}

int replay_targets_init(struct replay_targets *x, struct rule_ctx *r)
{
	const char *text = r->o->replay.map ? r->o->replay.map : "";
	int ret = 0;

	*x = (struct replay_targets){ .of_device = arena_array(&r->set->arena, TRACE_DEVICES_MAX,
							       sizeof(*x->of_device)) };
	if (!x->of_device)
		return diag_no_memory(r->d);
	while (*text && !ret)
		ret = read_entry(x, r, &text);
	return ret;
}

void replay_targets_fini(struct replay_targets *x)
{
	free(x->list.v);
	free(x->map.v);
}

/* ---- the targets ---- */

/* Sets *target to 1 + the number of a new target. */
static int add_target(struct replay_targets *x, struct rule_ctx *r, const char *path, bool named,
		      uint32_t *target)
{
	struct replay_target new = { path, named };

	if (!VEC_PUSH(&x->list, new))
		return diag_no_memory(r->d);
	*target = (uint32_t)x->list.n;
	return 0;
}

/* The same for a target that an option names: several devices may have it. */
static int add_named(struct replay_targets *x, struct rule_ctx *r, const char *path, uint32_t *target)
{
	if (!*path)
		*target = REPLAY_LEFT_OUT;
	for (size_t i = 0; i < x->list.n && !*target; i++)
		if (!strcmp(x->list.v[i].path, path))
			*target = (uint32_t)i + 1;
	return *target ? 0 : add_target(x, r, path, true, target);
}

static struct replay_map_entry *find_entry(const struct replay_targets *x, const char *device)
{
	for (size_t i = 0; i < x->map.n; i++)
		if (!strcmp(x->map.v[i].device, device))
			return &x->map.v[i];
	return NULL;
}

/* Returns whether `path` is in the list, whose names are separated by colons ("\:" is a colon of a name). */
static bool in_list(const char *list, const char *path)
{
	const char *p = path;

	for (; *list; list++) {
		bool colon = *list == ':';

		if (*list == '\\' && list[1] == ':')
			list++;
		if (colon && p && !*p)
			return true;
		p = colon ? path : p && *p == *list ? p + 1 : NULL;
	}
	return p && !*p && p != path;
}

/* Returns whether the job's own filename or directory names the file. */
static bool job_names(const struct rule_ctx *r, const char *path)
{
	const struct files_cfg *c = &r->o->files;
	const char *name = strrchr(path, '/');
	struct stat st;
	char *dir;
	bool named = c->filename && in_list(c->filename, path);

	if (named || !c->directory || !*c->directory)
		return named;
	dir = name ? strndup(path, (size_t)(name - path)) : NULL;
	named = dir && strcmp(name, "/..") != 0 && in_list(c->directory, dir) &&
		(lstat(path, &st) || !S_ISLNK(st.st_mode)); /* a link may lead out of the directory */
	free(dir);
	return named;
}

/* Returns whether the devices of the trace are files: only iologs name files. */
static bool names_files(const struct rule_ctx *r, const struct trace *t)
{
	return trace_facts(t)->format == TRACE_IOLOG || r->job->engine->caps & ENG_NOFILE;
}

int replay_targets_add(struct replay_targets *x, struct rule_ctx *r, const struct trace *t, uint32_t device)
{
	const char *name = trace_device(t, device), *redirect = r->o->replay.redirect;
	struct replay_map_entry *entry = find_entry(x, name);
	uint32_t *target = &x->of_device[device];
	int ret = 0;

	if (entry) {
		ret = add_named(x, r, entry->path, &entry->target);
		*target = entry->target;
	} else if (redirect) {
		ret = add_named(x, r, redirect, &x->redirect);
		*target = x->redirect;
	} else if (!x->map.n && names_files(r, t)) {
		name = arena_strdup(&r->set->arena, name);
		ret = name ? add_target(x, r, name, job_names(r, name), target) : diag_no_memory(r->d);
	} else {
		x->unmapped = x->unmapped ? x->unmapped : name;
		*target = REPLAY_LEFT_OUT;
	}
	return ret;
}

/* ---- refusals ---- */

/* Adds "8,0 and 8,16". */
static void list_devices(const struct trace *t, struct strbuf *b)
{
	size_t n = trace_devices(t);

	for (size_t i = 0; i < n && i < DEVICES_LISTED; i++) {
		strbuf_puts(b, !i ? "" : i + 1 == n ? " and " : ", ");
		strbuf_plain(b, trace_device(t, (uint32_t)i));
	}
	if (n > DEVICES_LISTED)
		strbuf_printf(b, " and %zu more", n - DEVICES_LISTED);
}

/* Returns whether the trace has CSV without a column of devices. */
static bool names_no_device(const struct trace *t)
{
	return trace_devices(t) == 1 && !strcmp(trace_device(t, 0), TRACE_NO_DEVICE);
}

static void refuse_without_device(struct rule_ctx *r, const char *option)
{
	rule_refuse(r, option,
		    "the trace names no device; {+replay_redirect=FILE} names the target of its I/Os");
}

static int refuse_unmapped(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t)
{
	struct strbuf b = { 0 };

	list_devices(t, &b);
	if (names_no_device(t))
		refuse_without_device(r, "read_iolog");
	else if (x->map.n)
		rule_refuse(r, "replay_map",
			    "the device %s of the trace has no target; the trace has %s. Add %s=FILE, or %s= "
			    "to leave it out",
			    x->unmapped, strbuf_str(&b), x->unmapped, x->unmapped);
	else
		rule_refuse(r, "read_iolog",
			    "the trace is of %s, which are the devices of the machine that recorded it; "
			    "{+replay_map=%s=FILE} or {+replay_redirect=FILE} names their targets here",
			    strbuf_str(&b), x->unmapped);
	strbuf_fini(&b);
	return r->d->err;
}

static bool has_device(const struct trace *t, const char *name)
{
	for (size_t i = 0; i < trace_devices(t); i++)
		if (!strcmp(trace_device(t, (uint32_t)i), name))
			return true;
	return false;
}

static int check_map(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < x->map.n && !r->d->err; i++) {
		if (has_device(t, x->map.v[i].device))
			continue;
		list_devices(t, &b);
		if (names_no_device(t))
			refuse_without_device(r, "replay_map");
		else
			rule_refuse(r, "replay_map", "the trace has no device %s; it has %s",
				    x->map.v[i].device, strbuf_str(&b));
	}
	strbuf_fini(&b);
	return r->d->err;
}

static int set_names(const struct replay_targets *x, struct rule_ctx *r)
{
	struct strbuf names = { 0 };
	int ret;

	for (size_t i = 0; i < x->list.n; i++) {
		if (i)
			strbuf_putc(&names, ':');
		for (const char *s = x->list.v[i].path; *s; s++) {
			if (*s == ':')
				strbuf_putc(&names, '\\');
			strbuf_putc(&names, *s);
		}
	}
	ret = names.failed ? diag_no_memory(r->d)
			   : opt_text_set(&r->o->files.filename, strbuf_str(&names), r->d);
	strbuf_fini(&names);
	return ret;
}

/* Returns the names of the devices of a target; NULL if memory is short. */
static const char *target_devices(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t,
				  size_t target)
{
	struct strbuf b = { 0 };
	unsigned listed = 0;
	const char *text;

	for (size_t i = 0; i < trace_devices(t) && listed <= DEVICES_LISTED; i++) {
		if (x->of_device[i] != target + 1)
			continue;
		strbuf_puts(&b, listed ? ", " : "");
		if (listed++ == DEVICES_LISTED)
			strbuf_puts(&b, "...");
		else
			strbuf_plain(&b, trace_device(t, (uint32_t)i));
	}
	text = b.failed ? NULL : arena_strdup(&r->set->arena, strbuf_str(&b));
	strbuf_fini(&b);
	return text;
}

static int set_devices(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t,
		       struct replay_facts *f)
{
	const char **devices = arena_array(&r->set->arena, x->list.n ? x->list.n : 1, sizeof(*devices));

	for (size_t i = 0; devices && i < x->list.n; i++)
		if (!(devices[i] = target_devices(x, r, t, i)))
			return diag_no_memory(r->d);
	f->devices = devices;
	return devices ? 0 : diag_no_memory(r->d);
}

int replay_targets_set(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t,
		       struct replay_facts *f)
{
	bool *named = arena_array(&r->set->arena, x->list.n ? x->list.n : 1, sizeof(*named));

	if (!named)
		return diag_no_memory(r->d);
	if (check_map(x, r, t))
		return r->d->err;
	if (x->unmapped)
		return refuse_unmapped(x, r, t);
	for (size_t i = 0; i < x->list.n; i++)
		named[i] = x->list.v[i].named;
	f->target = x->of_device;
	f->targets = (uint32_t)x->list.n;
	f->named = named;
	return set_devices(x, r, t, f) ? r->d->err : set_names(x, r);
}
