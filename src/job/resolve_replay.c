/* resolve_replay.c: read_iolog: a first pass over the trace finds the targets, the directions, the sizes and
   the largest addresses, which the rest of the program takes for those of the job. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "resolve_replay.h"
#include "strbuf.h"
#include "trace_saved.h"
#include "units.h"

#define LENGTH_MAX (1u << 30)

/* The sums of the first pass. */
struct pass {
	struct replay_facts facts;
	struct replay_pass replay;
	struct replay_targets targets;
	struct replay_addresses addresses;
	uint64_t *end;
	struct trace_event *last;      /* by target: the I/O with the largest address */
	struct trace_event *unaligned; /* and the one that is aligned least */
	struct trace_event largest_trim;
	uint64_t least[TRACE_DATA_OPS], most[TRACE_DATA_OPS];
	unsigned ops;
};

/* The options that the trace replaces. */
static const char *const replaced[] = {
	"rw",
	"bs",
	"bsrange",
	"bssplit",
	"bs_unaligned",
	"ba",
	"size",
	"filesize",
	"io_size",
	"offset",
	"nrfiles",
	"rwmixread",
	"rwmixwrite",
	"rw_sequencer",
	"random_distribution",
	"percentage_random",
	"norandommap",
	"file_service_type",
};

/* Those that a replay cannot have. */
static const char *const excluded[] = {
	"verify",      "rate",       "rate_iops",        "rate_process",     "rate_steps",
	"thinktime",   "flow",       "zonemode",         "iodepth_per_file", "thread_group",
	"opendir",     "openfiles",  "latency_target",   "fill_device",      "trim_percentage",
	"file_append", "write_pool", "per_file_stats",   "number_ios",       "serialize_overlap",
	"fsync",       "fdatasync",  "sync_file_range",  "offset_increment", "zonesize",
	"ramp_time",   "ramp_size",  "unlink_each_loop", "create_on_open",   "zoneskip",
};

static int check_options(struct rule_ctx *r)
{
	for (unsigned i = 0; i < sizeof(excluded) / sizeof(*excluded); i++)
		if (job_user_option(r->job, excluded[i]))
			return rule_refuse(
				r, excluded[i],
				"does not go with {read_iolog=%s}: a replay has the I/Os of its trace, at "
				"their times",
				r->o->replay.log);
	for (unsigned i = 0; i < sizeof(replaced) / sizeof(*replaced); i++)
		if (job_user_option(r->job, replaced[i]))
			rule_note(r, replaced[i],
				  "has no effect: {read_iolog=%s} says which I/Os the job does",
				  r->o->replay.log);
	if (job_user_option(r->job, "filename") || job_user_option(r->job, "directory"))
		rule_note(r, job_user_option(r->job, "filename") ? "filename" : "directory",
			  "only says which files the trace may write: the targets are those of "
			  "{read_iolog=%s}, {replay_map} or {replay_redirect}",
			  r->o->replay.log);
	return 0;
}

static int parse_skip(struct rule_ctx *r)
{
	static const char *const names[] = { "read", "write", "trim", "sync" };
	struct replay_cfg *c = &r->o->replay;

	for (const char *s = c->skip ? c->skip : ""; *s;) {
		size_t n = strcspn(s, ","), k = 0;

		while (k < 4 && (strlen(names[k]) != n || memcmp(names[k], s, n) != 0))
			k++;
		if (k == 4)
			return rule_refuse(r, "replay_skip",
					   "use read, write, trim and sync, separated by commas");
		c->skip_ops |= k == TRACE_SYNC ? 1u << TRACE_SYNC | 1u << TRACE_DATASYNC : 1u << k;
		s += n + (s[n] == ',');
	}
	return 0;
}

static int check_columns(struct rule_ctx *r)
{
	const char *columns = r->o->replay.columns;
	struct diag d = { 0 };
	int ret = columns ? trace_check_columns(columns, &d) : 0;

	if (ret)
		rule_refuse(r, "replay_columns", "%s", diag_text(&d));
	diag_fini(&d);
	return ret;
}

/* A trace is read before the run and again in it, so a stream needs a copy. */
static int save_stream(struct rule_ctx *r, const char *path)
{
	struct job_set *set = r->set;
	struct diag d = { 0 };
	struct stat st;
	int ret;

	if (!trace_is_stream(path)) {
		if (stat(path, &st) || S_ISREG(st.st_mode))
			return 0;
		return rule_refuse(r, "read_iolog", "%s is neither a file nor a FIFO", path);
	}
	if (set->stdin_has_jobs && !strcmp(path, "-"))
		return rule_refuse(r, "read_iolog",
				   "standard input has the job file; the trace may be a file, a FIFO, or "
				   "another descriptor, such as /dev/fd/3");
	if (set->run.rank.ranks > 1)
		return rule_refuse(r, "read_iolog",
				   "each rank reads the trace, so it cannot be a stream; save it in a file");
	if (!set->streams)
		set->streams = calloc(1, sizeof(*set->streams));
	if (!set->streams)
		return diag_no_memory(r->d);
	ret = trace_saved_add(set->streams, path, &d);
	if (ret && d.kind == DIAG_SIGNAL)
		diag_message(r->d, d.kind, ret, d.message);
	else if (ret)
		rule_refuse(r, "read_iolog", "%s", diag_text(&d));
	diag_fini(&d);
	return ret;
}

/* Takes the next name of a list such as "a:b\\:c", where "\\:" is a colon of a name. Returns NULL at its end.
 */
static char *next_path(char **list)
{
	char *path = *list + strspn(*list, ":"), *from = path, *to = path;

	for (; *from && *from != ':'; from++) {
		from += from[0] == '\\' && from[1] == ':';
		*to++ = *from;
	}
	*list = from + (*from == ':');
	*to = '\0';
	return *path ? path : NULL;
}

/* Sets the files of the trace. */
static int set_source(struct rule_ctx *r, struct trace_source *s)
{
	char *text = arena_strdup(&r->set->arena, r->o->replay.log), *p;
	const char **path = arena_array(&r->set->arena, TRACE_FILES_MAX, sizeof(*path));

	if (!text || !path)
		return diag_no_memory(r->d);
	while ((p = next_path(&text))) {
		if (s->paths == TRACE_FILES_MAX)
			return rule_refuse(r, "read_iolog", "more than %u files", TRACE_FILES_MAX);
		if (save_stream(r, p))
			return r->d->err;
		path[s->paths++] = p;
	}
	s->path = path;
	s->saved = r->set->streams;
	s->format = (enum trace_format)r->o->replay.format;
	s->columns = r->o->replay.columns;
	s->stage = (enum trace_stage)r->o->replay.event;
	s->from_ns = r->o->replay.from_ns;
	s->to_ns = r->o->replay.to_ns;
	if (s->to_ns && s->to_ns <= s->from_ns)
		return rule_refuse(r, "replay_to", "must be later than {replay_from=%s}",
				   job_user_option(r->job, "replay_from")->text);
	return replay_merge_set(r, s);
}

/* The largest power of two of which all bytes are multiples. With replay_address=fit, offsets are rounded. */
static uint64_t unit_of(const struct replay_cfg *c, const struct trace_event *e)
{
	uint64_t bits = c->address == REPLAY_FIT ? e->length : e->length | e->offset;

	return bits & -bits;
}

static int add_replay_event(struct rule_ctx *r, struct pass *p, const struct trace *t, struct trace_event *e)
{
	struct replay_facts *f = &p->facts;

	if (replay_skips(&r->o->replay, e)) {
		f->skipped += e->op < TRACE_IO_OPS;
		return 0;
	}
	if (!f->target[e->device] && replay_targets_add(&p->targets, r, t, e->device))
		return r->d->err;
	if (!replay_event(&p->replay, e)) {
		f->no_target++;
		return 0;
	}
	f->ios++;
	f->of_op[e->op]++;
	f->end_ns = e->time_ns;
	p->ops |= 1u << e->op;
	if (e->op >= TRACE_DATA_OPS)
		return 0;
	if (e->length > LENGTH_MAX) {
		struct strbuf at = { 0 };

		trace_place(t, e, &at);
		rule_refuse(r, "read_iolog", "%s: an I/O of %" PRIu64 " bytes; at most 1 GiB",
			    strbuf_str(&at), e->length);
		strbuf_fini(&at);
		return -EINVAL;
	}
	f->bytes += e->length;
	if (!p->least[e->op] || e->length < p->least[e->op])
		p->least[e->op] = e->length;
	if (e->op == TRACE_TRIM && e->length > p->most[TRACE_TRIM])
		p->largest_trim = *e;
	if (e->length > p->most[e->op])
		p->most[e->op] = e->length;
	if (e->offset + e->length > p->end[e->device]) {
		p->end[e->device] = e->offset + e->length;
		p->last[e->device] = *e;
	}
	if (!p->unaligned[e->device].length ||
	    unit_of(&r->o->replay, e) < unit_of(&r->o->replay, &p->unaligned[e->device]))
		p->unaligned[e->device] = *e;
	return r->o->replay.address == REPLAY_COMPACT ? replay_addresses_add(&p->addresses, r, e) : 0;
}

/* Returns where the I/O stands in the trace, "" without one, and NULL if memory is short. */
static const char *place_of(struct rule_ctx *r, const struct trace *t, const struct trace_event *e)
{
	struct strbuf at = { 0 };
	const char *place;

	if (e->length)
		trace_place(t, e, &at);
	place = at.failed ? NULL : arena_strdup(&r->set->arena, strbuf_str(&at));
	strbuf_fini(&at);
	return place;
}

/* Sets where the I/Os stand that may not fit their targets. */
static int set_places(struct rule_ctx *r, struct pass *p, const struct trace *t)
{
	struct replay_facts *f = &p->facts;
	const char **place = arena_array(&r->set->arena, f->targets + 1, sizeof(*place));
	struct replay_unaligned *u = arena_array(&r->set->arena, f->targets + 1, sizeof(*u));

	for (uint32_t i = 0; place && u && i < f->targets; i++) {
		const struct trace_event *e = &p->unaligned[i];

		u[i] = (struct replay_unaligned){ unit_of(&r->o->replay, e), e->offset, e->length,
						  place_of(r, t, e) };
		place[i] = place_of(r, t, &p->last[i]);
		if (!place[i] || !u[i].place)
			return diag_no_memory(r->d);
	}
	f->end_place = place;
	f->unaligned = u;
	f->trim_place = place_of(r, t, &p->largest_trim);
	return place && u && f->trim_place ? 0 : diag_no_memory(r->d);
}

static int refuse_empty(struct rule_ctx *r)
{
	if (r->o->replay.from_ns || r->o->replay.to_ns)
		return rule_refuse(
			r, "read_iolog",
			"the part of the trace that {replay_from} and {replay_to} select has no I/O to "
			"replay");
	return rule_refuse(r, "read_iolog", "the trace has no I/O to replay");
}

/* Puts the option before an error that names the file. */
static int wrap_trace_error(struct rule_ctx *r)
{
	const struct user_option *o = job_user_option(r->job, "read_iolog");

	if (o->at.line)
		return diag_wrap(r->d, "{@%s:%u: }{read_iolog}", o->at.file, o->at.line);
	return diag_wrap(r->d, "--read_iolog");
}

static int read_trace(struct rule_ctx *r, struct pass *p)
{
	struct trace_event e;
	struct trace *t;
	int ret = trace_open(&t, &p->facts.source, r->d);

	if (ret)
		return wrap_trace_error(r);
	while ((ret = trace_next(t, &e, r->d)) > 0 && !(ret = add_replay_event(r, p, t, &e)))
		continue;
	p->facts.timed = !trace_facts(t)->coarse;
	if (!ret)
		ret = replay_targets_set(&p->targets, r, t, &p->facts);
	if (!ret)
		ret = set_places(r, p, t);
	if (!ret && !p->facts.ios)
		ret = refuse_empty(r);
	if (!ret && r->o->replay.address == REPLAY_COMPACT)
		ret = replay_addresses_set(&p->addresses, r, &p->facts, p->end);
	if (!ret && !p->facts.timed && !r->o->replay.no_stall)
		rule_note(
			r, "read_iolog",
			"the times of the trace are whole seconds, so the report does not say how late I/Os "
			"are, and has no response times");
	trace_close(t);
	return ret;
}

/* As plan_replay.c does for files. */
static int refuse_addresses(struct rule_ctx *r, const struct pass *p, uint64_t most)
{
	uint32_t i = 0;

	while (p->end[i] != most)
		i++;
	rule_refuse(r, "read_iolog",
		    "the trace reaches up to byte %s (%s), and a target has at most 2^62 - 1; use "
		    "{+replay_address=compact} or {+replay_scale=%u}",
		    units_suffixed(most).text, p->facts.end_place[i], 4 * r->o->replay.scale);
	return r->d->err;
}

/* Makes the job one that reads and writes as the trace does. */
static int set_job(struct rule_ctx *r, const struct pass *p)
{
	struct job_opts *o = r->o;
	uint64_t most = 0;

	free(o->bssplit);
	free(o->files.directory);
	o->bssplit = o->files.directory = NULL;
	memset(&o->files.size, 0, sizeof(o->files.size));
	memset(&o->files.offset, 0, sizeof(o->files.offset));
	memset(&o->files.io_size, 0, sizeof(o->files.io_size));
	o->files.filesize_lo = o->files.filesize_hi = 0;
	o->files.nrfiles = p->facts.targets;
	o->offset.rw = RW_RANDOM | (p->ops & RW_DIRS);
	if (!(p->ops & RW_DIRS))
		return rule_refuse(r, "read_iolog", "the trace has syncs only");
	for (unsigned d = 0; d < DIR_DATA; d++) {
		o->bs[d] = o->bsrange[d].lo = p->least[d] ? p->least[d] : 4096;
		o->bsrange[d].hi = p->most[d] ? p->most[d] : 4096;
	}
	for (uint32_t i = 0; i < p->facts.targets; i++)
		most = p->end[i] > most ? p->end[i] : most;
	if (r->job->engine->caps & ENG_NOFILE && most > UINT64_MAX / 4)
		return refuse_addresses(r, p, most);
	/* Without files, each target has an equal part of the size. */
	if (r->job->engine->caps & ENG_NOFILE &&
	    __builtin_mul_overflow(most, p->facts.targets, &o->files.size.bytes))
		return rule_refuse(r, "read_iolog", "the addresses of the trace are too large for %u targets",
				   (unsigned)p->facts.targets);
	return 0;
}

static int note_options(struct rule_ctx *r)
{
	static const char *const details[] = { "replay_format",
					       "replay_columns",
					       "replay_event",
					       "read_iolog_chunked",
					       "replay_no_stall",
					       "replay_redirect",
					       "replay_scale",
					       "replay_align",
					       "replay_time_scale",
					       "replay_skip",
					       "replay_map",
					       "replay_from",
					       "replay_to",
					       "replay_gap_max",
					       "replay_address",
					       "merge_blktrace_file",
					       "merge_blktrace_scalars",
					       "merge_blktrace_iters" };

	for (unsigned i = 0; i < sizeof(details) / sizeof(*details) && !r->o->replay.log; i++)
		if (rule_section_option(r, details[i]))
			rule_note(r, details[i], "has no effect without {read_iolog}");
	if (r->o->replay.log && rule_section_option(r, "read_iolog_chunked"))
		rule_note(r, "read_iolog_chunked", "has no effect: traces are always read in chunks");
	return 0;
}

int rule_replay(struct rule_ctx *r)
{
	struct replay_cfg *c = &r->o->replay;
	struct pass p = { 0 };
	struct replay_facts *f;
	int ret = note_options(r);

	if (!c->log)
		return ret;
	c->skip_ops = 0;
	if (r->job->engine->caps & (ENG_META | ENG_NOIO))
		return rule_refuse(r, "read_iolog", "{ioengine=%s} does no I/O", r->job->engine->name);
	p.end = arena_array(&r->set->arena, TRACE_DEVICES_MAX, sizeof(*p.end));
	f = arena_array(&r->set->arena, 1, sizeof(*f));
	p.last = calloc(TRACE_DEVICES_MAX, sizeof(*p.last));
	p.unaligned = calloc(TRACE_DEVICES_MAX, sizeof(*p.unaligned));
	if (!p.end || !f || !p.last || !p.unaligned) {
		free(p.last);
		free(p.unaligned);
		return diag_no_memory(r->d);
	}
	p.facts.end = p.end;
	p.replay = (struct replay_pass){ .cfg = c, .facts = &p.facts };
	ret = check_options(r);
	ret = ret ? ret : parse_skip(r);
	ret = ret ? ret : check_columns(r);
	ret = ret ? ret : set_source(r, &p.facts.source);
	ret = ret ? ret : replay_targets_init(&p.targets, r);
	p.facts.target = p.targets.of_device;
	ret = ret ? ret : read_trace(r, &p);
	ret = ret ? ret : set_job(r, &p);
	replay_targets_fini(&p.targets);
	replay_addresses_fini(&p.addresses);
	free(p.last);
	free(p.unaligned);
	*f = p.facts;
	c->facts = f;
	return ret;
}
