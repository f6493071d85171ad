#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include "profile.h"
#include "speller.h"
#include "strbuf.h"

struct ctx {
	const struct ds_check_cfg *c;
	const struct ds_profile *p;
	const struct ds_span *s;
	const struct ds_target *t; /* NULL: a rule about the span */
	struct notes *notes;
	struct diag *d;
};

/* Returns the name of an option for an error: the flag, or the element of a profile. */
static const char *name(const struct ctx *x, const char *flag)
{
	/* clang-format off */
	static const struct { const char *flag, *element; } others[] = {
		{ "-n", "<DisableAffinity>" }, { "-O", "the time span's <RequestCount>" }, { "-Sh", "<DisableOSCache> with <WriteThrough>" },
		{ "-Su", "<DisableOSCache>" }, { "-Sy", "<BypassIO>" }, { "-Z<size>", "<RandomDataSource>" },
	};
	/* clang-format on */

	for (size_t i = 0; x->c->xml_names && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(flag, others[i].flag))
			return others[i].element;
	return x->c->xml_names ? ds_xml_element(flag) : flag;
}

/* Adds "time span 2, target x.dat: " as far as the profile has several. */
static void put_place(const struct ctx *x, struct strbuf *b)
{
	unsigned line = x->t ? x->t->xml_line : x->s->xml_line;

	if (line)
		strbuf_printf(b, "line %u", line);
	if (x->p->nspans > 1)
		strbuf_printf(b, "%stime span %zu", b->len ? ", " : "", (size_t)(x->s - x->p->spans) + 1);
	if (x->c->xml_names && x->t && x->t->path)
		strbuf_printf(b, "%starget %s", b->len ? ", " : "", x->t->path);
	if (b->len)
		strbuf_puts(b, ": ");
}

static int refuse(const struct ctx *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int refuse(const struct ctx *x, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	put_place(x, &b);
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_err(x->d, -EINVAL, "%s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static void warn(const struct ctx *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void warn(const struct ctx *x, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	if (!x->notes)
		return;
	put_place(x, &b);
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	notes_add(x->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

static int refuse_pair(const struct ctx *x, const char *a, const char *b, const char *why)
{
	return refuse(x, "%s is not possible with %s: %s", name(x, a), name(x, b), why);
}

static int refuse_pooled(const struct ctx *x, const char *flag)
{
	return refuse(x, "%s is not possible with %s and %s together", name(x, flag), name(x, "-F"),
		      name(x, "-O"));
}

/* Returns true if the threads of -F have a common depth (-O). */
static bool is_pooled(const struct ctx *x)
{
	return x->s->threads && x->s->requests;
}

static unsigned threads_on(const struct ctx *x)
{
	return x->s->threads ? x->s->threads : x->t->threads;
}

/* Returns true if -g limits anything. DISKSPD converts IOPS to bytes per ms in 32 bits; a result of 0 is no
   limit. */
static bool limited(const struct ds_target *t)
{
	if (t->rate_iops)
		return (uint32_t)((uint32_t)t->rate * (uint32_t)t->block) / 1000 != 0;
	return t->rate != 0;
}

static bool is_drive(const char *path)
{
	bool letter = isalpha((unsigned char)path[0]) && path[1] == ':' && !path[2];

	return letter || (path[0] == '#' && isdigit((unsigned char)path[1]));
}

int ds_template_number(const char *path)
{
	const char *digits = path + 1;
	size_t n;
	int v = 0;

	if (*path != '*')
		return 0;
	n = strspn(digits, "0123456789");
	if (!n || n > 6 || digits[n])
		return -1;
	for (; *digits; digits++)
		v = v * 10 + (*digits - '0');
	return v ? v : -1;
}

static int check_path(const struct ctx *x)
{
	int n = x->t->path ? ds_template_number(x->t->path) : 0;

	if (!x->t->path)
		return refuse(x, "a <Target> needs a <Path>");
	if (!*x->t->path && !x->c->xml_names)
		return refuse(x, "an empty target");
	if (n < 0)
		return refuse(x, "%s is not a template: write * and a number from 1, such as *1", x->t->path);
	if (n && !x->c->allow_templates && !x->c->xml_names)
		return refuse(x, "%s is a template target, which only -Rp and XML profiles (-X) accept",
			      x->t->path);
	if (n && !x->c->allow_templates)
		return refuse(x, "no target is given for the template %s: name it after -X", x->t->path);
	return 0;
}

static int check_sizes(const struct ctx *x)
{
	const struct ds_target *t = x->t;

	if (t->block >= UINT32_MAX)
		return refuse(x, "%s: the block size must be below 4G (2^32-1 bytes)", name(x, "-b"));
	if (t->max_size && t->max_size <= t->base)
		return refuse(x, "%s: the end (%llu) must be beyond the base offset %s (%llu)", name(x, "-f"),
			      (unsigned long long)t->max_size, name(x, "-B"), (unsigned long long)t->base);
	if (t->pool_size && t->pool_size < t->block)
		return refuse(x,
			      "%s: the write buffer (%llu) is smaller than the block (%llu): make it at "
			      "least as large, or make %s smaller; DISKSPD checks this in read tests, too",
			      name(x, "-Z<size>"), (unsigned long long)t->pool_size,
			      (unsigned long long)t->block, name(x, "-b"));
	if (t->write_percent > 100)
		return refuse(x, "%s: %u: the percentage of writes is 0 to 100", name(x, "-w"),
			      t->write_percent);
	return 0;
}

/* DISKSPD refuses this weight, too: no thread would do I/O on the target. */
static int check_weight(const struct ctx *x)
{
	const struct ds_target *t = x->t;
	bool used = t->weight || !is_pooled(x);

	for (size_t i = 0; i < t->nthread_targets; i++)
		used = used || t->thread_targets[i].weight;
	return used ? 0 : refuse(x, "<Weight>0</Weight>: the target would get no I/O; leave it out");
}

static int check_threads(const struct ctx *x)
{
	const struct ds_target *t = x->t;

	if (x->s->threads && t->threads > 1)
		return refuse_pair(
			x, "-F", "-t",
			"the first is the number of threads for all targets together, the second for each");
	if (!x->s->threads && !t->threads)
		return refuse(x, "%s must be at least 1", name(x, "-t"));
	if (!t->depth && !is_pooled(x))
		return refuse(x, "%s must be at least 1", name(x, "-o"));
	for (size_t i = 0; i < t->nthread_targets; i++) {
		if (!is_pooled(x))
			return refuse(
				x, "<ThreadTargets> needs <ThreadCount> and <RequestCount> in its time span");
		if (t->thread_targets[i].thread >= x->s->threads)
			return refuse(x, "<Thread>%u</Thread>: there are %u threads, the first one is 0",
				      t->thread_targets[i].thread, x->s->threads);
	}
	return check_weight(x);
}

static int check_stride(const struct ctx *x)
{
	if (!x->t->thread_stride)
		return 0;
	if (x->t->random_percent)
		return refuse_pair(x, "-T", "-r", "random and mixed I/O (-rs) has no starting offset");
	if (x->t->interlocked)
		return refuse_pair(x, "-T", "-si", "the threads share one offset");
	if (threads_on(x) < 2)
		return refuse(
			x,
			"%s needs more than one thread per target: it is the distance between their starts",
			name(x, "-T"));
	return 0;
}

static int check_order(const struct ctx *x)
{
	const struct ds_target *t = x->t;
	unsigned threads = ds_target_threads(x->s, t);

	if (t->interlocked && t->random_percent)
		return refuse_pair(x, "-si", "-r", "one is sequential, the other random");
	if (t->parallel && t->random_percent)
		return refuse_pair(x, "-p", "-r", "it gives each sequential I/O in flight its position");
	if (t->parallel && t->interlocked)
		return refuse_pair(
			x, "-p", "-si",
			"the first gives each I/O its own offset, the second all threads a common one");
	if (t->parallel && is_pooled(x))
		return refuse_pooled(x, "-p");
	if (t->parallel && t->depth == 1)
		warn(x, "%s with %s1 has no effect: there is one I/O at a time", name(x, "-p"),
		     name(x, "-o"));
	if (t->interlocked && threads == 1)
		warn(x, "%s with one thread has no effect", name(x, "-si"));
	if (!t->random_percent && !t->interlocked && !t->thread_stride && threads > 1)
		warn(x,
		     "%u threads use the same blocks of each target: %s makes them share one offset, %s "
		     "gives each thread another start",
		     threads, name(x, "-si"), name(x, "-T"));
	return 0;
}

static int check_pace(const struct ctx *x)
{
	const struct ds_target *t = x->t;
	bool pooled = is_pooled(x);

	if (limited(t) && x->s->completion_routines)
		return refuse_pair(x, "-g", "-x", "DISKSPD limits rates only with completion ports");
	if (limited(t) && pooled)
		return refuse_pooled(x, "-g");
	if (t->burst_given && !t->think_given)
		return refuse(x, "%s%u needs %s<ms>, the pause after each burst", name(x, "-i"), t->burst_ios,
			      name(x, "-j"));
	if (t->think_given && !t->burst_given)
		return refuse(x, "%s%u needs %s<n>, the number of I/Os before each pause", name(x, "-j"),
			      t->think_ms, name(x, "-i"));
	if (t->think_given && pooled)
		return refuse_pooled(x, "-j");
	if (t->think_given && t->rate)
		warn(x, "%s is ignored, because %s sets the rate", name(x, "-j"), name(x, "-g"));
	return 0;
}

static int check_caching(const struct ctx *x)
{
	const struct ds_target *t = x->t;

	if (t->flush != DS_FLUSH_NONE && !t->mapped)
		return refuse(x, "%s needs %s: only memory-mapped I/O is flushed", name(x, "-N"),
			      name(x, "-Sm"));
	if (t->mapped && t->cache == DS_UNBUFFERED)
		return refuse_pair(x, "-Sm", "-Su", "mapped files are in the page cache");
	if (t->mapped && x->s->completion_routines)
		return refuse_pair(x, "-Sm", "-x", "mapped I/O has no completions");
	if (t->mapped && x->s->io_ring)
		return refuse_pair(x, "-u", "-Sm", "mapped I/O has no submissions");
	if (t->mapped && is_drive(t->path))
		return refuse(x, "%s: drives and volumes cannot be memory-mapped (%s)", t->path,
			      name(x, "-Sm"));
	if (t->bypass == DS_BYPASS_NONE)
		return 0;
	if (t->mapped)
		return refuse_pair(x, "-Sy", "-Sm", "mapped files are in the page cache");
	if (t->cache != DS_UNBUFFERED)
		return refuse(x, "%s (BypassIO) needs unbuffered I/O: %s or %s", name(x, "-Sy"),
			      name(x, "-Su"), name(x, "-Sh"));
	if (t->write_percent)
		return refuse_pair(x, "-Sy", "-w", "BypassIO only reads");
	return 0;
}

static int check_totals(const struct ctx *x, uint64_t io, uint64_t span)
{
	bool percent = x->t->dist == DS_PERCENT;

	if (io > 100)
		return refuse(x, "%s: the shares of the I/O total %llu%%, more than 100", name(x, "-rd"),
			      (unsigned long long)io);
	if (percent && span > 100)
		return refuse(x, "%s: the shares of the target total %llu%%, more than 100", name(x, "-rd"),
			      (unsigned long long)span);
	if (percent && span == 100 && io < 100)
		return refuse(x,
			      "%s: the whole target is covered, but %llu%% of the I/O is left to distribute",
			      name(x, "-rd"), (unsigned long long)(100 - io));
	if (percent && io == 100 && span < 100)
		return refuse(x,
			      "%s: all of the I/O is distributed, but the shares of the target total %llu%% "
			      "instead of 100: add :0/%llu",
			      name(x, "-rd"), (unsigned long long)span, (unsigned long long)(100 - span));
	return 0;
}

static int check_distribution(const struct ctx *x)
{
	const struct ds_target *t = x->t;
	uint64_t io = 0, span = 0;

	if (t->dist == DS_UNIFORM)
		return 0;
	if (!t->random_percent)
		return refuse(x, "%s needs random I/O: %s, or %s", name(x, "-rd"), name(x, "-r"),
			      name(x, "-rs"));
	for (size_t i = 0; i < t->nranges; i++) {
		const struct ds_range *r = &t->ranges[i];
		bool tail = !r->length && i + 1 == t->nranges && t->dist == DS_ABSOLUTE;

		if (t->dist == DS_ABSOLUTE && r->length < t->block && !tail)
			return refuse(x, "%s: a range of %llu bytes is smaller than the block (%llu)",
				      name(x, "-rd"), (unsigned long long)r->length,
				      (unsigned long long)t->block);
		io += r->io_percent;
		if (__builtin_add_overflow(span, r->length, &span))
			return refuse(x, "%s: the ranges do not fit into 64 bits", name(x, "-rd"));
	}
	return check_totals(x, io, span);
}

static int check_target(const struct ctx *x)
{
	static int (*const rules[])(const struct ctx *) = {
		check_path,   check_sizes, check_threads, check_distribution,
		check_stride, check_order, check_caching, check_pace,
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !ret; i++)
		ret = rules[i](x);
	return ret;
}

static bool all_mapped(const struct ds_span *s)
{
	for (size_t i = 0; i < s->ntargets; i++)
		if (!s->targets[i].mapped)
			return false;
	return s->ntargets;
}

static int check_span(const struct ctx *x)
{
	const struct ds_span *s = x->s;

	if (!s->ntargets)
		return refuse(x, "no target");
	if (s->no_affinity && s->ncpus)
		return refuse_pair(x, "-n", "-a", "the first leaves threads unpinned, the second pins them");
	if (s->io_ring && s->completion_routines)
		return refuse_pair(x, "-u", "-x", "a ring does not use completion routines");
	if (s->completion_depth_given && s->completion_routines)
		return refuse_pair(x, "-oc", "-x", "a completion routine runs for each I/O");
	if (s->completion_depth_given && all_mapped(s))
		return refuse_pair(x, "-oc", "-Sm", "mapped I/O has no completions");
	if (s->requests && !s->threads)
		warn(x, "%s has no effect without %s", name(x, "-O"), name(x, "-F"));
	return 0;
}

int ds_profile_check(const struct ds_check_cfg *c, const struct ds_profile *p, struct notes *notes,
		     struct diag *d)
{
	struct ctx x = { .c = c, .p = p, .notes = notes, .d = d };
	int ret = 0;

	for (size_t i = 0; i < p->nspans && !ret; i++) {
		x.s = &p->spans[i];
		x.t = NULL;
		ret = check_span(&x);
		for (size_t k = 0; k < x.s->ntargets && !ret; k++) {
			x.t = &x.s->targets[k];
			ret = check_target(&x);
		}
	}
	return ret;
}

int ds_profile_check_fit(const struct ds_span *s, const struct ds_target *t, uint64_t size, struct diag *d)
{
	uint64_t last = ds_last_thread(s, t), need;
	struct strbuf message = { 0 };
	bool large, cut = t->max_size && t->max_size < size;

	size = cut ? t->max_size : size;
	large = __builtin_mul_overflow(last, t->thread_stride, &need);
	large |= __builtin_add_overflow(need, t->base, &need);
	large |= __builtin_add_overflow(need, t->block, &need);
	if (!large && need <= size)
		return 0;
	message_printf(&message,
		       cut ? "%s: too small: the %" PRIu64 " bytes up to {~flag|-f} are not enough"
			   : "%s: too small: the %" PRIu64 " bytes are not enough",
		       t->path, size);
	if (!t->thread_stride || !last)
		message_printf(&message,
			       " for one block: base offset ({~flag|-B}) %" PRIu64
			       " + block ({~flag|-b}) %" PRIu64,
			       t->base, t->block);
	else
		message_printf(&message,
			       " for thread %" PRIu64 " to start: base offset ({~flag|-B}) %" PRIu64
			       " + %" PRIu64 " * {~flag|-T%" PRIu64 "} + block ({~flag|-b}) %" PRIu64,
			       last, t->base, last, t->thread_stride, t->block);
	diag_message(d, DIAG_RUN, -EINVAL, strbuf_str(&message));
	strbuf_fini(&message);
	return -EINVAL;
}
