/* xmltarget.c: setters of a target's elements. */
#include "strbuf.h"
#include "xml.h"

#include <errno.h>
#include <string.h>
#include "profile_check.h"
#include "line.h"
#include "vec.h"
#include "xmlread.h"

int xmlset_path(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	(void)row;
	if (ds_template_number(text) < 0) {
		strbuf_puts(why, "a template is * and a number from 1, such as *1");
		return -EINVAL;
	}
	/* As in DISKSPD, an empty path is valid here and fails when the target is opened. */
	r->target.path = arena_strdup(&r->p.mem, text);
	return r->target.path ? 0 : -ENOMEM;
}

void xmlset_begin_target(struct xml_reader *r)
{
	ds_target_init(&r->target);
	memset(&r->given, 0, sizeof(r->given));
	r->ranges.n = r->thread_targets.n = 0;
}

static const char *target_conflict(const struct xml_reader *r)
{
	if (r->given.stride && (r->given.random || r->given.ratio))
		return "<Target>: <StrideSize> is for sequential I/O and not possible with <Random> or "
		       "<RandomRatio>: leave one of them out";
	if (r->given.os_cache && r->given.local_cache)
		return "<Target>: <DisableOSCache> and <DisableLocalCache> exclude each other: leave one of "
		       "them out";
	return NULL;
}

int xmlset_end_target(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	struct ds_target *t = &r->target;
	const char *conflict = target_conflict(r);

	if (++r->target_count > XMLREAD_TARGETS_MAX) {
		strbuf_printf(why, "<Target>: a profile may have at most %u of them", XMLREAD_TARGETS_MAX);
		return -EINVAL;
	}
	if (conflict) {
		strbuf_puts(why, conflict);
		return -EINVAL;
	}
	/* Older profiles have a 0 in place of a missing element. */
	t->burst_given &= t->burst_ios || t->think_given;
	t->think_given &= t->think_ms || t->burst_given;
	if (r->given.os_cache)
		t->cache = DS_UNBUFFERED;
	if (r->given.local_cache)
		t->cache = DS_REMOTE_ONLY;
	if (r->given.random)
		t->stride = r->given.random_align;
	t->xml_line = r->line;
	t->stride_given = t->stride;
	if (r->given.random && !r->given.ratio)
		t->random_percent = 100;
	t->nranges = r->ranges.n;
	t->ranges = xmlset_copy(r, r->ranges.v, r->ranges.n, sizeof(*t->ranges));
	t->nthread_targets = r->thread_targets.n;
	t->thread_targets =
		xmlset_copy(r, r->thread_targets.v, r->thread_targets.n, sizeof(*t->thread_targets));
	if (!t->ranges || !t->thread_targets || !ds_add_last_range(&r->p, t))
		return -ENOMEM;
	return VEC_PUSH(&r->targets, *t) ? 0 : -ENOMEM;
}

static const char *const rate_units[] = { "BPMS", "IOPS", NULL };

int xmlset_throughput(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned unit = 0;

	if (r->has_attr[0]) {
		struct strbuf allowed = { 0 };
		int ret = xmlset_word(r->attr[0], rate_units, &unit, &allowed);

		if (ret)
			strbuf_printf(why, "unit=\"%s\": %s", r->attr[0], strbuf_str(&allowed));
		strbuf_fini(&allowed);
		if (ret)
			return ret;
	}
	r->target.rate_iops = unit == 1;
	return xmlset_u64(r, row, text, why);
}

int xmlset_end_content(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	struct ds_target *t = &r->target;

	if (t->pattern == DS_RANDOM && !t->pool_size) {
		strbuf_puts(why, "<WriteBufferContent>: <Pattern>random</Pattern> needs a <RandomDataSource> "
				 "with a <SizeInBytes>");
		return -EINVAL;
	}
	if (t->pattern != DS_RANDOM) {
		t->pool_size = 0;
		t->pool_file = NULL;
	}
	return 0;
}

int xmlset_range(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t io, span;

	if (xmlset_attr_number(r, row, 0, 100, &io, why) ||
	    xmlset_number(text, row->min, row->max, &span, why))
		return -EINVAL;
	return VEC_PUSH(&r->ranges, (struct ds_range){ (unsigned)io, span }) ? 0 : -ENOMEM;
}

/* Checks a range of length 0: it is the rest of the target, which takes the rest of the I/O. */
static int check_rest(const struct xml_reader *r, struct strbuf *why)
{
	uint64_t io = 0;

	for (size_t i = 0; i < r->ranges.n; i++) {
		bool last = i + 1 == r->ranges.n;

		io += r->ranges.v[i].io_percent;
		if (r->ranges.v[i].length || (last && io == 100))
			continue;
		strbuf_puts(why,
			    last ? "<Absolute>: its last <Range> is 0 (the rest of the target), so the "
				   "shares of the I/O must total 100"
				 : "<Absolute>: only its last <Range> may be 0 (the rest of the target)");
		return -EINVAL;
	}
	return 0;
}

/* The end of <Percent> or <Absolute>. */
int xmlset_end_ranges(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	bool absolute = row->node == NODE_ABSOLUTE;

	if (absolute && check_rest(r, why))
		return -EINVAL;
	if (r->target.dist != DS_UNIFORM) {
		strbuf_printf(why, "<%s>: a <Distribution> has either <Percent> or <Absolute>", row->name);
		return -EINVAL;
	}
	r->target.dist = absolute ? DS_ABSOLUTE : DS_PERCENT;
	return 0;
}

int xmlset_end_distribution(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	if (r->target.dist != DS_UNIFORM)
		return 0;
	strbuf_puts(why, "<Distribution>: needs a <Percent> or an <Absolute>");
	return -EINVAL;
}

void xmlset_begin_thread_target(struct xml_reader *r)
{
	memset(&r->thread_target, 0, sizeof(r->thread_target));
}

int xmlset_end_thread_target(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	if (++r->thread_target_count > XMLREAD_THREAD_TARGETS_MAX) {
		strbuf_printf(why, "<ThreadTarget>: a profile may have at most %u of them",
			      XMLREAD_THREAD_TARGETS_MAX);
		return -EINVAL;
	}
	return VEC_PUSH(&r->thread_targets, r->thread_target) ? 0 : -ENOMEM;
}
