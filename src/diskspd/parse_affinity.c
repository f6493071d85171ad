/* parse_affinity.c: -a: the processors to which threads are pinned. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "parse.h"

#define CPU_MAX    255u
#define CPU_MAX_23 63u
#define GROUP_MAX  65535u
#define LIST_MAX   65536u

static int add_cpu(struct ds_parse *p, unsigned group, unsigned cpu)
{
	struct ds_span *s = p->span;

	/* The list doubles whenever it is full, so its length is then a power of two. */
	if (!(s->ncpus & (s->ncpus - 1))) {
		struct ds_cpu *grown =
			arena_array(&p->l->profile.mem, s->ncpus ? s->ncpus * 2 : 1, sizeof(*grown));

		if (!grown)
			return diag_err(p->d, -ENOMEM, "out of memory");
		if (s->ncpus)
			memcpy(grown, s->cpus, s->ncpus * sizeof(*grown));
		s->cpus = grown;
	}
	if (s->ncpus >= LIST_MAX)
		return parse_err(p, "more than %u processors in the list", LIST_MAX);
	s->cpus[s->ncpus++] = (struct ds_cpu){ .group = group, .cpu = cpu };
	return 0;
}

static int list_err(struct ds_parse *p)
{
	return parse_err(
		p, "a list of processors is -a<cpu>[,<cpu>...] or -ag<group>,<cpu>[,...]%s, without blanks",
		p->l->dialect == DS_DIALECT_23 ? " (ranges: 2-5)" : "");
}

/* Reads the digits at *s, and moves *s to the character after them. */
static int read_item(struct ds_parse *p, const char **s, unsigned max, const char *what, unsigned *out)
{
	int v;

	if (!isdigit((unsigned char)**s))
		return **s ? list_err(p) : parse_err(p, "the list is incomplete: a %s is missing", what);
	v = ds_atoi(*s, s);
	if ((unsigned)v > max)
		return parse_err(p, "%s %d is out of range (0 to %u)", what, v, max);
	*out = (unsigned)v;
	return 0;
}

static int read_cpus(struct ds_parse *p, const char **s, unsigned group)
{
	bool ranges = p->l->dialect == DS_DIALECT_23 || p->l->dialect == DS_DIALECT_LINUX;
	unsigned max = p->l->dialect == DS_DIALECT_23 ? CPU_MAX_23 : CPU_MAX, first, last;
	int ret;

	if (read_item(p, s, max, "processor", &first))
		return -EINVAL;
	last = first;
	if (**s == '-') {
		++*s;
		if (!ranges)
			return parse_err(p, "ranges of processors came with DISKSPD 2.3: list them (2,3,4), "
					    "or use --dialect 2.3");
		if (read_item(p, s, max, "processor", &last))
			return -EINVAL;
		if (last < first)
			return parse_err(p, "the range %u-%u runs backwards", first, last);
	}
	for (ret = 0; first <= last && !ret; first++)
		ret = add_cpu(p, group, first);
	return ret;
}

static int read_list(struct ds_parse *p, const char *s)
{
	const char *start = s;
	unsigned group = 0;

	for (;;) {
		if (*s == 'g') {
			bool alone = s == start;

			s++;
			if (read_item(p, &s, GROUP_MAX, "group", &group))
				return -EINVAL;
			if (!*s && alone && p->l->dialect == DS_DIALECT_23)
				return add_cpu(p, group, DS_CPU_ALL);
			if (!*s && alone)
				return parse_err(p,
						 "a group needs its processors: -ag%u,0,1 (since 2.3 -ag%u "
						 "is the whole "
						 "group)",
						 group, group);
			if (!*s)
				return parse_err(p, "the list is incomplete: group %u has no processor",
						 group);
			if (*s++ != ',')
				return list_err(p);
		}
		if (read_cpus(p, &s, group))
			return -EINVAL;
		if (!*s)
			return 0;
		if (*s++ != ',')
			return list_err(p);
	}
}

/* Returns the letter that chooses the order of efficiency classes; '\0': none. */
static char order_of(const char *letters)
{
	letters += strspn(letters, "cs");
	return *letters;
}

/* DISKSPD 2.3: -ac -as -ap -aP -ae -aE -aup: 'c', 's' and one of the orders. Several such options add
   up. */
static int read_traversal(struct ds_parse *p, const char *s)
{
	char *out = p->span->traversal, order = order_of(out);
	bool core = strchr(out, 'c'), spread = strchr(out, 's');

	for (; *s; s++) {
		char o = '\0';

		if (*s == 'c')
			core = true;
		else if (*s == 's')
			spread = true;
		else if (strchr("pPeE", *s))
			o = *s;
		else if (!strncmp(s, "up", 2))
			o = *s++;
		else
			return list_err(p);
		if (o && order)
			return parse_err(
				p, "two orders of efficiency classes: choose one of p P e E, or up for none");
		order = o ? o : order;
	}
	if (core)
		*out++ = 'c';
	if (spread)
		*out++ = 's';
	if (order)
		*out++ = order;
	*out = '\0';
	return 0;
}

int ds_read_affinity(struct ds_parse *p, const char *arg)
{
	if (!*arg || !strcmp(arg, "g"))
		return 0;
	if (isalpha((unsigned char)*arg) && *arg != 'g') {
		if (p->l->dialect == DS_DIALECT_23)
			return read_traversal(p, arg);
		if (strchr("csupPeE", *arg))
			return parse_err(
				p, "not a list of processors; -a%s came with DISKSPD 2.3: use --dialect 2.3",
				arg);
	}
	return read_list(p, arg);
}

int ds_read_port_affinity(struct ds_parse *p, const char *arg)
{
	return read_list(p, arg);
}
