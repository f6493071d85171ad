/* html_facts.c: the plan, the machine, the targets, the options and the command line. */
#include "html_page.h"

#include <inttypes.h>
#include <string.h>
#include "strbuf.h"
#include "units.h"

static void put_fact(struct strbuf *b, const char *label, const char *text)
{
	if (text && *text)
		html_printf(b, "<dt>%s</dt><dd>%s</dd>\n", label, text);
}

/* The names of facts in words. Other facts appear with blanks in place of '_'. */
static const struct {
	const char *name, *label;
} labels[] = {
	{ "governor", "CPU governor" },
	{ "smt", "SMT (hyper-threading)" },
	{ "numa_nodes", "NUMA nodes" },
	{ "virtual", "Virtual machine" },
	{ "kernel_clock", "Kernel clock" },
	{ "cpu_lacks", "Instructions that the CPU lacks" },
	{ "options", "Mount options" },
	{ "super_options", "File system options" },
	{ "mount_point", "Mounted on" },
	{ "source", "Mounted from" },
	{ "block_bytes", "Block size" },
	{ "size_bytes", "Size" },
	{ "free_bytes", "Free space" },
	{ "nr_requests", "Requests in the queue (nr_requests)" },
	{ "read_ahead_kb", "Read-ahead (KiB)" },
	{ "max_sectors_kb", "Largest request (max_sectors_kb)" },
	{ "max_hw_sectors_kb", "Largest request of the hardware (max_hw_sectors_kb)" },
	{ "protection", "Protection information" },
	{ "nr_zones", "Zones" },
	{ "zone_bytes", "Zone size" },
	{ "hw_queues", "Hardware queues" },
	{ "wbt_lat_usec", "Writeback throttling target (us)" },
	{ "fua", "FUA" },
	{ "io_poll", "Polling (io_poll)" },
};

static void put_label(struct strbuf *b, const char *name)
{
	struct strbuf label = { 0 };

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		if (!strcmp(labels[i].name, name)) {
			html_text(b, labels[i].label);
			return;
		}
	}
	for (const char *p = name; *p; p++) {
		char c = *p == '_' ? ' ' : p == name && *p >= 'a' && *p <= 'z' ? (char)(*p - 32) : *p;

		strbuf_putc(&label, c);
	}
	html_text(b, strbuf_str(&label));
	strbuf_end(&label, b);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void put_prop(struct strbuf *b, const struct prop *p)
{
	strbuf_puts(b, "<dt>");
	put_label(b, p->name);
	strbuf_puts(b, "</dt><dd>");
	if (p->kind == PROP_TEXT)
		html_text(b, p->text);
	else if (p->kind == PROP_BOOL)
		strbuf_puts(b, p->number ? "yes" : "no");
	else if (ends_with(p->name, "_bytes"))
		strbuf_puts(b, units_exact(p->number).text);
	else
		strbuf_printf(b, "%" PRIu64, p->number);
	strbuf_puts(b, "</dd>\n");
}

/* All facts but those that the caller has already written. */
static void put_props(struct strbuf *b, const struct props *p, const char *const *but)
{
	for (size_t i = 0; i < p->n; i++) {
		bool skip = false;

		for (size_t k = 0; but && but[k]; k++)
			skip = skip || !strcmp(but[k], p->v[i].name);
		if (!skip)
			put_prop(b, &p->v[i]);
	}
}

static void put_machine(struct html_run *h)
{
	const struct result_env *e = &h->r->env;
	struct strbuf *b = h->b;

	html_section(h, 1, "machine", "Machine");
	strbuf_puts(b, "<dl class=\"facts\">\n");
	put_fact(b, "Host", e->host);
	put_fact(b, "Operating system", e->os);
	put_fact(b, "Kernel", e->kernel);
	put_fact(b, "CPU", e->cpu);
	if (e->cpus)
		strbuf_printf(b, "<dt>Hardware threads</dt><dd>%u</dd>\n", e->cpus);
	put_fact(b, "Architecture", e->arch);
	if (e->memory_bytes)
		strbuf_printf(b, "<dt>Memory</dt><dd>%s</dd>\n", units_bytes(e->memory_bytes).text);
	put_props(b, &e->props, NULL);
	if (h->r->clock.source && *h->r->clock.source)
		html_printf(b, "<dt>Clock of the measurement</dt><dd>%s, drift %.2f ppm</dd>\n",
			    h->r->clock.source, h->r->clock.drift_ppm);
	strbuf_puts(b, "</dl>\n");
	html_section_end(h);
}

/* The most asked-for facts come first. */
static void put_device_facts(struct strbuf *b, const struct result_device *d)
{
	static const char *const first[] = { "vendor",      "model",          "size_bytes", "kind",
					     "driver",      "transport",      "rotational", "scheduler",
					     "write_cache", "durable_writes", "firmware",   NULL };

	html_printf(b, "<div class=\"device\">\n<p><strong>%s</strong></p>\n<dl class=\"facts\">\n",
		    props_str(&d->props, "name"));
	for (unsigned i = 0; first[i]; i++) {
		const struct prop *p = props_find(&d->props, first[i]);

		if (p)
			put_prop(b, p);
	}
	html_printf(b, "</dl>\n<details><summary>All settings of %s</summary>\n<dl class=\"facts\">\n",
		    props_str(&d->props, "name"));
	put_props(b, &d->props, first);
	strbuf_puts(b, "</dl>\n</details>\n</div>\n");
}

static void put_target(struct html_run *h, const struct result_target *t)
{
	struct strbuf *b = h->b;

	html_printf(b, "<h%u><code>%s</code>", h->level + 2, t->path);
	if (t->files > 1)
		strbuf_printf(b, " and %" PRIu64 " more", t->files - 1);
	html_printf(b, ": %s</h%u>\n", t->type, h->level + 2);
	if (t->fs.n) {
		strbuf_puts(b, "<dl class=\"facts\">\n");
		put_props(b, &t->fs, NULL);
		strbuf_puts(b, "</dl>\n");
	}
	for (unsigned i = 0; i < t->ndevs; i++)
		put_device_facts(b, &t->devs[i]);
}

void html_environment(struct html_run *h)
{
	const struct result *r = h->r;

	if (!r->env.host && !r->ntargets) {
		strbuf_puts(
			h->b,
			"<p class=\"note\">The result does not describe the machine and its disks. Results "
			"that <code>fiord</code> makes with <code>--output-format=json+</code> do.</p>\n");
		return;
	}
	if (r->ntargets) {
		html_section(h, 1, "targets", "Targets");
		for (size_t i = 0; i < r->ntargets; i++)
			put_target(h, &r->targets[i]);
		html_section_end(h);
	}
	if (r->env.host)
		put_machine(h);
}

static void put_plan_jobs(struct html_run *h)
{
	static const char *const column[] = { "Job", "#Workers", "Run as", "#Group", "#Wave", "Random seed" };
	const struct result_plan *p = &h->r->plan;

	if (!p->njobs)
		return;
	html_table(h->b, "Jobs of the plan; the jobs of a wave run at the same time", column, 6);
	for (size_t i = 0; i < p->njobs; i++) {
		const struct result_plan_job *j = &p->jobs[i];

		html_row(h->b, j->name);
		strbuf_printf(h->b,
			      "<td class=\"n\">%u</td><td>%s</td><td class=\"n\">%u</td><td "
			      "class=\"n\">%u</td><td class=\"mono\">0x%016" PRIx64 "%s</td>",
			      j->workers, j->threads ? "threads" : "processes", j->group, j->wave, j->seed,
			      j->repeat ? "" : " (differs from run to run)");
		html_row_end(h->b);
	}
	html_table_end(h->b);
}

static void put_space(struct strbuf *b, const struct result_plan *p)
{
	for (size_t i = 0; i < p->nspaces; i++)
		html_printf(b, "<p>%s (%s): needs %s, %s were free.</p>\n", p->spaces[i].path,
			    p->spaces[i].fstype, units_bytes(p->spaces[i].need_bytes).text,
			    units_bytes(p->spaces[i].free_bytes).text);
	for (size_t i = 0; i < p->noverwrites; i++)
		html_printf(b, "<p>%s wrote over %s, a file of %s that existed before.</p>\n",
			    p->overwrites[i].job, p->overwrites[i].path,
			    units_bytes(p->overwrites[i].size_bytes).text);
}

void html_plan(struct html_run *h)
{
	const struct result_plan *p = &h->r->plan;

	strbuf_printf(h->b, "<p>%u worker%s (%u process%s, %u thread%s) in %u wave%s", p->workers,
		      p->workers == 1 ? "" : "s", p->processes, p->processes == 1 ? "" : "es", p->threads,
		      p->threads == 1 ? "" : "s", p->waves, p->waves == 1 ? "" : "s");
	if (p->layout_bytes)
		strbuf_printf(h->b, "; %s were laid out before the clock started",
			      units_bytes(p->layout_bytes).text);
	strbuf_puts(h->b, ".</p>\n");
	put_space(h->b, p);
	put_plan_jobs(h);
}

static void put_option_lines(struct strbuf *b, const char *section, const struct result_opt *opt, size_t n)
{
	html_printf(b, "[%s]\n", section);
	for (size_t i = 0; i < n; i++) {
		html_text(b, opt[i].name);
		if (opt[i].value && *opt[i].value)
			html_printf(b, "=%s", opt[i].value);
		strbuf_putc(b, '\n');
	}
}

/* Returns true if the job before is of the same section: clones share its options. */
static bool same_section(const struct result *r, size_t i)
{
	const struct result_job *a = i ? r->jobs[i - 1] : NULL, *b = r->jobs[i];

	if (!a || !a->name || !b->name || strcmp(a->name, b->name) || a->noptions != b->noptions)
		return false;
	for (size_t k = 0; k < a->noptions; k++) {
		const char *x = a->options[k].value, *y = b->options[k].value;

		if (strcmp(a->options[k].name, b->options[k].name) || strcmp(x ? x : "", y ? y : ""))
			return false;
	}
	return true;
}

void html_options(struct html_run *h)
{
	const struct result *r = h->r;

	if (r->command)
		html_printf(h->b, "<p class=\"note\">The command line:</p>\n<pre>%s</pre>\n", r->command);
	strbuf_puts(h->b, "<p class=\"note\">The job options as they were typed:</p>\n<pre>");
	if (r->nglobals)
		put_option_lines(h->b, "global", r->globals, r->nglobals);
	for (size_t i = 0; i < r->njobs; i++) {
		/* The entry of all hosts together is no job. */
		if (!same_section(r, i) && (!r->client_stats || r->jobs[i]->hostname))
			put_option_lines(h->b, r->jobs[i]->name, r->jobs[i]->options, r->jobs[i]->noptions);
	}
	strbuf_puts(h->b, "</pre>\n");
}
