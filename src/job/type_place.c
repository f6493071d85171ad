/* type_place.c: CPUs, memory nodes, users and groups. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int list_error(int err, struct diag *d)
{
	if (err == -ERANGE)
		return diag_err(d, err, "out of range; numbers go up to %d", CPUSET_MAX - 1);
	return diag_err(d, err, "not a list of numbers and ranges, such as 0,2-5");
}

static int list_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	int err = cpuset_parse(text, field);

	(void)row;
	(void)ctx;
	return err ? list_error(err, d) : 0;
}

static void list_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	cpuset_print(field, out);
}

static int mask_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	const char *hint = "";
	uint64_t v;
	int err = opt_number(text, ctx->kb_base, &v, &hint);

	(void)row;
	if (err)
		return diag_err(d, err, "not a bit mask, such as 5 or 0xff; %s", hint);
	if (!v)
		return diag_err(d, -ERANGE, "selects no CPU; 1 is CPU 0, 2 is CPU 1, 3 is both");
	*(struct cpuset *)field = (struct cpuset){ .bits = { v } };
	return 0;
}

static void mask_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "0x%llx", (unsigned long long)((const struct cpuset *)field)->bits[0]);
}

static bool is_group(const struct opt_row *row)
{
	return row->name[0] == 'g';
}

static int id_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		    struct diag *d)
{
	if (isalpha((unsigned char)text[0]) || text[0] == '_')
		return diag_err(d, -EINVAL, "not a number; write the %s id, as `%s %s` prints it",
				is_group(row) ? "group" : "user", is_group(row) ? "getent group" : "id -u",
				text);
	return opt_type_u32.parse(row, field, text, ctx, d);
}

static void id_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "%u", *(const uint32_t *)field);
}

const struct opt_type job_type_id = { OPT_TYPE("number", id), .bytes = sizeof(uint32_t) };

static int nodes_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	if (strcmp(text, "all"))
		return list_parse(row, field, text, ctx, d);
	memset(field, 0xff, sizeof(struct cpuset));
	return 0;
}

static void nodes_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	if (cpuset_count(field) == CPUSET_MAX)
		strbuf_puts(out, "all");
	else
		list_print(row, field, out);
}

static bool wants_nodes(enum numa_mode mode)
{
	return mode == NUMA_PREFER || mode == NUMA_BIND || mode == NUMA_INTERLEAVE;
}

static int policy_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	struct numa_policy p = { 0 };
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = opt_find_choice(row->choices, text, stem);
	int err = 0;

	if (!c)
		return diag_err(d, -EINVAL,
				"not a policy; known are default, local, prefer:NODE, bind:NODES and "
				"interleave:NODES");
	p.mode = (enum numa_mode)c->value;
	if (!wants_nodes(p.mode) && text[stem])
		return diag_err(d, -EINVAL, "%s takes no nodes", c->name);
	if (wants_nodes(p.mode))
		err = text[stem] ? nodes_parse(row, &p.nodes, text + stem + 1, ctx, d)
				 : diag_err(d, -EINVAL, "needs a node, such as %s:0", c->name);
	if (!err && p.mode == NUMA_PREFER && cpuset_count(&p.nodes) != 1)
		err = diag_err(d, -EINVAL, "prefer takes one node");
	if (!err)
		*(struct numa_policy *)field = p;
	return err;
}

static void policy_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct numa_policy *p = field;

	strbuf_puts(out, opt_choice_name(row->choices, p->mode));
	if (!wants_nodes(p->mode))
		return;
	strbuf_putc(out, ':');
	nodes_print(row, &p->nodes, out);
}

const struct opt_type job_type_cpus = { OPT_TYPE("list of CPUs", list), .bytes = sizeof(struct cpuset) };
const struct opt_type job_type_cpumask = { OPT_TYPE("bit mask", mask), .bytes = sizeof(struct cpuset) };
const struct opt_type job_type_nodes = { OPT_TYPE("list of nodes, or all", nodes),
					 .bytes = sizeof(struct cpuset) };
const struct opt_type job_type_numa_policy = { OPT_TYPE("policy", policy),
					       .bytes = sizeof(struct numa_policy) };
