/* parse_distribution.c: -rd: how random I/O is distributed over a target. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "parse.h"

/* Reads one <io>/<target> at *text, and moves *text to the character after it. */
static int read_range(struct ds_parse *p, const char **text, struct ds_range *r)
{
	const char *s = *text;
	bool absolute = p->target.dist == DS_ABSOLUTE;
	int io, ret;

	if (!isdigit((unsigned char)*s))
		return parse_err(p, "the share of the I/O is not a number at '%s': -rd%s<io>/<target>[:...]",
				 s, absolute ? "abs" : "pct");
	io = ds_atoi(s, &s);
	if (io > 100)
		return parse_err(p, "a share of %d%% of the I/O is too large: at most 100", io);
	if (*s != '/')
		return parse_err(p, "a slash is missing after %d: <share of the I/O>/<%s>", io,
				 absolute ? "size" : "share of the target");
	if (!isdigit((unsigned char)*++s))
		return parse_err(p, "a %s, which begins with a digit, must follow the slash, not '%s'",
				 absolute ? "size" : "percentage", s);
	ret = ds_size(s, p->l->dialect, p->target.block, &r->length, &s);
	if (!absolute && isalpha((unsigned char)s[-1]))
		return parse_err(p, "-rdpct takes percentages; sizes go with -rdabs");
	if (ret == -ERANGE)
		return parse_err(p, "a size does not fit into 64 bits");
	if (absolute && !r->length)
		return parse_err(p, "a range must be larger than 0");
	if (!absolute && (!r->length || r->length > 100))
		return parse_err(p, "the share of the target is 1 to 100 percent");
	r->io_percent = (unsigned)io;
	*text = s;
	return 0;
}

static int read_ranges(struct ds_parse *p, const char *text)
{
	size_t n = 1;

	for (const char *s = text; *s; s++)
		n += *s == ':';
	p->target.ranges = arena_array(&p->l->profile.mem, n, sizeof(*p->target.ranges));
	if (!p->target.ranges)
		return diag_err(p->d, -ENOMEM, "out of memory");
	for (p->target.nranges = 0;; text++) {
		int ret = read_range(p, &text, &p->target.ranges[p->target.nranges]);

		if (ret)
			return ret;
		p->target.nranges++;
		if (!*text)
			return 0;
		if (*text != ':')
			return parse_err(p, "'%s' is unexpected: ranges are joined by colons", text);
	}
}

int ds_read_distribution(struct ds_parse *p, const char *arg)
{
	if (!strncmp(arg, "pct", 3))
		p->target.dist = DS_PERCENT;
	else if (!strncmp(arg, "abs", 3))
		p->target.dist = DS_ABSOLUTE;
	else
		return parse_err(p,
				 "the type of the distribution is missing: -rdpct<io>/<target> (percent) or "
				 "-rdabs<io>/<size>");
	return read_ranges(p, arg + 3);
}

bool ds_add_last_range(struct ds_profile *p, struct ds_target *t)
{
	struct ds_range *grown;
	unsigned io = 0;
	uint64_t span = 0;

	for (size_t i = 0; i < t->nranges; i++) {
		io += t->ranges[i].io_percent;
		span += t->ranges[i].length;
	}
	if (!t->nranges || io >= 100 || (t->dist == DS_PERCENT && span >= 100))
		return true;
	grown = arena_array(&p->mem, t->nranges + 1, sizeof(*grown));
	if (!grown)
		return false;
	memcpy(grown, t->ranges, t->nranges * sizeof(*grown));
	grown[t->nranges].io_percent = 100 - io;
	grown[t->nranges].length = t->dist == DS_PERCENT ? 100 - span : 0;
	t->ranges = grown;
	t->nranges++;
	return true;
}
