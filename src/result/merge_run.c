#include "merge_parts.h"

#include <string.h>
#include "hosts.h"

static void env_text(struct result *r, const char **all, const char *one, const char *mixed, bool first)
{
	if (first)
		*all = result_copy_text(r, one);
	else if (*all && (!one || strcmp(*all, one) != 0))
		*all = mixed;
}

/* Describes the machines by the facts that they have in common. */
static void add_env(struct result *out, const struct result_env *e, bool first)
{
	struct result_env *all = &out->env;

	env_text(out, &all->host, e->host, "several", first);
	env_text(out, &all->os, e->os, "mixed", first);
	env_text(out, &all->kernel, e->kernel, "mixed", first);
	env_text(out, &all->arch, e->arch, "mixed", first);
	env_text(out, &all->cpu, e->cpu, "mixed", first);
	all->cpus = first || all->cpus == e->cpus ? e->cpus : 0;
	all->memory_bytes = first || all->memory_bytes == e->memory_bytes ? e->memory_bytes : 0;
}

static void add_self(struct result_self *all, const struct result_self *s)
{
	all->wall_ns = s->wall_ns > all->wall_ns ? s->wall_ns : all->wall_ns;
	all->max_rss_bytes = s->max_rss_bytes > all->max_rss_bytes ? s->max_rss_bytes : all->max_rss_bytes;
	all->user_us += s->user_us;
	all->sys_us += s->sys_us;
	all->children_user_us += s->children_user_us;
	all->children_sys_us += s->children_sys_us;
	all->region_bytes += s->region_bytes;
}

/* Keeps the global options if all results have the same ones. */
static void add_globals(struct result *out, const struct result *r, bool first)
{
	if (first)
		result_globals(out, r->globals, r->nglobals);
	else if (!result_same_options(out->globals, out->nglobals, r->globals, r->nglobals))
		out->nglobals = 0;
}

static void add_exit(struct result *out, const struct result_exit *e)
{
	for (unsigned i = 0; i < e->count; i++)
		result_exit_code(out, e->all[i]);
	if (!out->exit.signal && e->signal) {
		out->exit.signal = e->signal;
		out->exit.ran_ns = e->ran_ns;
	}
}

static bool has_disk(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->ndisks; i++)
		if (!strcmp(r->disks[i].name, name))
			return true;
	return false;
}

/* Returns whether r is of a rank that shares its host with other ranks, which its name shows. */
static bool shares_host(const struct result *r)
{
	return !r->client_stats && r->hosts.n == 1 && r->env.host &&
	       strcmp(r->hosts.v[0].hostname, r->env.host) != 0;
}

/* Adds the disks of a host as DISK@HOST. Ranks on one host have counted the same I/Os of a disk, so it is
   added once. */
static void add_disks(struct result *out, const struct result *r, const char *host)
{
	bool shared = shares_host(r);

	for (size_t i = 0; i < r->ndisks; i++) {
		struct result_disk d = r->disks[i];

		if (!r->client_stats)
			d.name = arena_printf(&out->mem, "%s@%s", d.name, host);
		out->failed |= !d.name;
		if (d.name && !(shared && has_disk(out, d.name)))
			result_add_disk(out, &d);
	}
}

void merge_run_hosts(struct result *out, const struct result *r)
{
	for (size_t i = 0; i < r->hosts.n; i++)
		result_add_host(out, &r->hosts.v[i]);
}

void merge_run_add(struct result *out, const struct result *r, const char *machine, bool first)
{
	add_env(out, &r->env, first);
	add_self(&out->self, &r->self);
	add_globals(out, r, first);
	add_exit(out, &r->exit);
	add_disks(out, r, machine);
	merge_run_hosts(out, r);
	out->plan.workers += r->plan.workers;
	out->plan.processes += r->plan.processes;
	out->plan.threads += r->plan.threads;
	if (r->timestamp_ms > out->timestamp_ms)
		out->timestamp_ms = r->timestamp_ms;
}
