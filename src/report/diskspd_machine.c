/* diskspd_machine.c: the parts of DISKSPD's text about the machine and its processors. */
#include "diskspd.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"
#include "profile_text.h"

/* ---- the machine ---- */

static const char *known(const char *text)
{
	return text && *text ? text : "unknown";
}

static void put_power(struct strbuf *b, const struct span_system *s)
{
	strbuf_puts(b, known(s->power_scheme));
	if (s->power_id && *s->power_id)
		strbuf_printf(b, " (%s)", s->power_id);
	strbuf_putc(b, '\n');
}

static void put_system_22(struct strbuf *b, const struct span_system *s, bool cpus)
{
	strbuf_printf(b, "\tcomputer name: %s\n\tstart time: ", known(s->computer));
	diskspd_time(b, s->start_ms);
	strbuf_putc(b, '\n');
	if (!cpus)
		return;
	strbuf_printf(
		b,
		"\n\tcpu count:\t\t%u\n\tcore count:\t\t%u\n\tgroup count:\t\t%u\n\tnode "
		"count:\t\t%u\n\tsocket count:\t\t%u\n\theterogeneous cores:\t%c\n\n\tactive power scheme:\t",
		s->cpus, s->ncores, s->ngroups, s->nnodes, s->nsockets, s->heterogeneous ? 'y' : 'n');
	put_power(b, s);
}

static void put_cache_lines(struct strbuf *b, const struct span_system *s)
{
	if (!s->ncaches)
		return;
	strbuf_puts(b, "\n  cache information:\n\n    Cache |   Size   | Line  | Assoc  | CPU\n    ");
	diskspd_rule(b, 55, '-');
	for (size_t i = 0; i < s->ncaches; i++) {
		const struct span_cache *c = &s->caches[i];
		char name[16], ways[16] = "full", line[16];

		snprintf(name, sizeof(name), "L%u%s", c->level,
			 !c->type                          ? ""
			 : !strcmp(c->type, "Data")        ? "d"
			 : !strcmp(c->type, "Instruction") ? "i"
							   : "");
		snprintf(line, sizeof(line), "%" PRIu64 "B", c->line_bytes);
		if (c->ways)
			snprintf(ways, sizeof(ways), "%u-way", c->ways);
		strbuf_printf(b, "    %-5s | %8s | %5s | %6s | ", name, ds_profile_text_size(c->bytes).text,
			      line, ways);
		diskspd_cpus(b, &c->cpus);
		strbuf_putc(b, '\n');
	}
}

static void put_system_23(struct strbuf *b, const struct span_system *s)
{
	static const char form[] = "  %-22s%s\n", number[] = "  %-22s%u\n";

	strbuf_printf(b, form, "computer name:", known(s->computer));
	strbuf_printf(b, form, "processor name:", known(s->processor));
	strbuf_printf(b, "  %-22s", "start time:");
	diskspd_time(b, s->start_ms);
	strbuf_printf(b, "\n  %-22s", "active power scheme:");
	put_power(b, s);
	strbuf_printf(b, "  %-22s%s\n\n", "page size:", ds_profile_text_size(s->page_bytes).text);
	strbuf_printf(b, number, "cpu count:", s->cpus);
	strbuf_printf(b, number, "core count:", s->ncores);
	strbuf_printf(b, number, "group count:", s->ngroups);
	strbuf_printf(b, number, "node count:", s->nnodes);
	strbuf_printf(b, number, "socket count:", s->nsockets);
	strbuf_printf(b, form, "heterogeneous cores:", s->heterogeneous ? "y" : "n");
	put_cache_lines(b, s);
}

void diskspd_system(struct strbuf *b, const struct result_spans *all)
{
	strbuf_puts(b, "System information:\n\n");
	if (all->layout == DS_LAYOUT_23)
		put_system_23(b, &all->system);
	else
		put_system_22(b, &all->system, ds_layout_form(all->layout)->system == DS_SYSTEM_CPUS);
}

/* ---- processors ---- */

/* The columns before CPU. A column is printed if the machine has more than one of its kind. */
struct columns {
	bool socket, node, group, core, efficiency;
	unsigned highest; /* efficiency class */
	unsigned width;
};

static struct columns cpu_columns(const struct span_system *s, const struct result_span *span)
{
	struct columns c = { .socket = s->nsockets > 1,
			     .node = s->nnodes > 1,
			     .group = s->ngroups > 1,
			     .core = s->ncores < s->cpus,
			     .efficiency = s->heterogeneous };

	for (size_t i = 0; i < span->ncpus; i++)
		if (span->cpus[i].efficiency > c.highest)
			c.highest = span->cpus[i].efficiency;
	c.width = c.socket * 9u + c.node * 7u + c.group * 8u + c.core * 7u + c.efficiency * 8u;
	return c;
}

static void put_use(struct strbuf *b, const struct span_use *u)
{
	strbuf_printf(b, "| %6.2f%%| %6.2f%%| %6.2f%%| %6.2f%%\n", u->usage, u->user, u->kernel, u->idle);
}

/* Adds the end of a row of the table before 2.2. */
static void put_wide_use(struct strbuf *b, const struct span_use *u)
{
	strbuf_printf(b, "| %6.2f%%| %6.2f%%|  %6.2f%%| %6.2f%%\n", u->usage, u->user, u->kernel, u->idle);
}

static void put_wide_table(struct strbuf *b, const struct result_span *s, bool groups)
{
	strbuf_printf(b, "\n%sCPU |  Usage |  User  |  Kernel |  Idle\n", groups ? "Group | " : "");
	diskspd_rule(b, 43, '-');
	for (size_t i = 0; i < s->ncpus; i++) {
		if (groups)
			strbuf_printf(b, "%6u| ", s->cpus[i].group);
		strbuf_printf(b, "%4u", s->cpus[i].id);
		put_wide_use(b, &s->cpus[i].use);
	}
	diskspd_rule(b, 43, '-');
	strbuf_puts(b, groups ? "        avg." : "avg.");
	put_wide_use(b, &s->cpu_mean);
}

static void put_cpu(struct strbuf *b, const struct span_cpu *cpu, const struct columns *c)
{
	if (c->socket)
		strbuf_printf(b, "%6u | ", cpu->socket);
	if (c->node)
		strbuf_printf(b, "%4u | ", cpu->node);
	if (c->group)
		strbuf_printf(b, "%5u | ", cpu->group);
	if (c->core)
		strbuf_printf(b, "%4u | ", cpu->core);
	if (c->efficiency)
		strbuf_printf(b, "%4u%c | ", cpu->efficiency, cpu->efficiency == c->highest ? 'P' : ' ');
	strbuf_printf(b, "%4u", cpu->id);
	put_use(b, &cpu->use);
}

static void put_cpu_table(struct strbuf *b, const struct span_system *machine, const struct result_span *s)
{
	struct columns c = cpu_columns(machine, s);

	strbuf_printf(b, "\n%s%s%s%s%sCPU |  Usage |  User  | Kernel |  Idle\n", c.socket ? "Socket | " : "",
		      c.node ? "Node | " : "", c.group ? "Group | " : "", c.core ? "Core | " : "",
		      c.efficiency ? "Class | " : "");
	diskspd_rule(b, 40 + c.width, '-');
	for (size_t i = 0; i < s->ncpus; i++)
		put_cpu(b, &s->cpus[i], &c);
	diskspd_rule(b, 40 + c.width, '-');
	strbuf_printf(b, "%-*s", (int)c.width + 4, "avg."); /* scripts look for it at the start of a line */
	put_use(b, &s->cpu_mean);
}

void diskspd_cpu_table(struct strbuf *b, const struct result_spans *all, const struct result_span *s)
{
	const struct ds_layout_form *form = ds_layout_form(all->layout);

	if (!s->ncpus)
		return; /* not known */
	if (form->wide_cpus)
		put_wide_table(b, s, all->system.ngroups > 1);
	else
		put_cpu_table(b, &all->system, s);
}
