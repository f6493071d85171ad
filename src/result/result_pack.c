/* Each part of a result has one function here, which packs it or unpacks it, so that both always agree. */
#include "result_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"
#include "hosts.h"
#include "job_snapshot.h"

/* Changes with each change of the format or of a struct that is packed as a list of numbers. */
#define FORMAT        4
#define MAGIC         "fiordpak"
#define SERIES_MAX_NS ((uint64_t)1 << 60)
#define SERIES_BYTES  ((size_t)64 << 20)

struct coder {
	struct strbuf *out;            /* NULL: unpacks */
	const unsigned char *at, *end; /* the rest of the pack */
	struct result *r;              /* owns what is unpacked */
	bool bad;                      /* the pack is damaged */
};

/* ---- numbers and texts ---- */

static void put_number(struct strbuf *out, uint64_t v)
{
	char bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (char)(v | 0x80);
	bytes[n++] = (char)v;
	strbuf_add(out, bytes, n);
}

static uint64_t get_number(struct coder *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
		unsigned char byte = *c->at++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	c->bad = true;
	return 0;
}

static void code_u64(struct coder *c, uint64_t *v)
{
	if (c->out)
		put_number(c->out, *v);
	else
		*v = get_number(c);
}

/* An integer, bool or enum of any width. */
#define CODE(c, field)                                            \
	do {                                                      \
		uint64_t number_ = (uint64_t)(field);             \
                                                                  \
		code_u64(c, &number_);                            \
		if (!(c)->out) {                                  \
			(field) = (__typeof__(field))number_;     \
			(c)->bad |= (uint64_t)(field) != number_; \
		}                                                 \
	} while (0)

/* A struct or array that consists of 64-bit numbers alone. */
static void code_u64s(struct coder *c, void *v, size_t bytes)
{
	uint64_t *number = v;

	for (size_t i = 0; i < bytes / sizeof(*number); i++)
		code_u64(c, &number[i]);
}

static void code_double(struct coder *c, double *v)
{
	uint64_t bits;

	memcpy(&bits, v, sizeof(bits));
	for (unsigned shift = 0; c->out && shift < 64; shift += 8)
		strbuf_putc(c->out, (char)(bits >> shift));
	if (c->out)
		return;
	if (c->end - c->at < 8) {
		c->bad = true;
		return;
	}
	bits = 0;
	for (unsigned shift = 0; shift < 64; shift += 8)
		bits |= (uint64_t)*c->at++ << shift;
	memcpy(v, &bits, sizeof(bits));
}

/* The length of a list whose entries take at least one byte each. */
static void code_length(struct coder *c, size_t *n)
{
	CODE(c, *n);
	if (c->out || *n <= (size_t)(c->end - c->at))
		return;
	c->bad = true;
	*n = 0;
}

static void code_text(struct coder *c, const char **text)
{
	size_t n = c->out && *text ? strlen(*text) + 1 : 0;

	CODE(c, n); /* 0: NULL */
	if (c->out) {
		strbuf_add(c->out, *text ? *text : "", n ? n - 1 : 0);
		return;
	}
	*text = NULL;
	if (n > (size_t)(c->end - c->at) + 1)
		c->bad = true;
	if (!n || c->bad)
		return;
	c->bad |= memchr(c->at, '\0', n - 1) != NULL;
	*text = arena_strndup(&c->r->mem, (const char *)c->at, n - 1);
	c->r->failed |= !*text;
	c->at += n - 1;
}

/* Returns the array of a list: *v when packing, else new memory, with *n set to 0 if there is none. */
static void *code_array(struct coder *c, const void *v, size_t *n, size_t bytes)
{
	void *array = (void *)(uintptr_t)v;

	code_length(c, n);
	if (c->out)
		return array;
	array = *n ? arena_array(&c->r->mem, *n, bytes) : NULL;
	if (!array) {
		c->r->failed |= *n > 0;
		*n = 0;
	}
	return array;
}

/* ---- counts ---- */

static void code_bins(struct coder *c, struct result_bins *b)
{
	uint64_t before = 0, step;
	uint64_t *ns = code_array(c, b->ns, &b->n, sizeof(*ns));
	uint64_t *count = c->out ? (uint64_t *)(uintptr_t)b->count : NULL;

	if (!c->out && b->n)
		count = arena_array(&c->r->mem, b->n, sizeof(*count));
	if (b->n && !count) {
		c->r->failed = true;
		b->n = 0;
	}
	for (size_t i = 0; i < b->n; i++) {
		step = ns[i] - before;
		code_u64(c, &step);
		ns[i] = before = before + step;
		code_u64(c, &count[i]);
	}
	b->ns = ns;
	b->count = count;
}

static void code_samples(struct coder *c, struct samples *s)
{
	for (unsigned i = 0; i < SAMPLE_ROWS; i++) {
		CODE(c, s[i].n);
		code_double(c, &s[i].min);
		code_double(c, &s[i].max);
		code_double(c, &s[i].sum);
		code_double(c, &s[i].sq);
	}
}

static void code_cfg(struct coder *c, struct summary_cfg *cfg)
{
	CODE(c, cfg->percentiles);
	if (cfg->percentiles > SUMMARY_PERCENTILES) {
		c->bad = true;
		cfg->percentiles = 0;
	}
	for (unsigned i = 0; i < cfg->percentiles; i++)
		code_double(c, &cfg->percentile[i]);
	CODE(c, cfg->percentiles_off);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		CODE(c, cfg->disabled[kind]);
		CODE(c, cfg->percentiles_of[kind]);
	}
}

static void code_counts(struct coder *c, struct result_job *job)
{
	struct result_counts *n = &job->counts;

	CODE(c, n->known);
	CODE(c, n->exact);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		code_u64s(c, &n->dir[dir], sizeof(n->dir[dir]));
		for (unsigned kind = 0; kind < LAT_KINDS; kind++)
			code_bins(c, &job->bins[dir][kind]);
	}
	code_u64s(c, &n->cnt, sizeof(n->cnt));
	code_samples(c, n->bw);
	code_samples(c, n->iops);
	code_cfg(c, &n->cfg);
}

static void code_prios(struct coder *c, struct result_job *job)
{
	CODE(c, job->prio_kind);
	c->bad |= job->prio_kind >= LAT_KINDS;
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		size_t n = job->prios[dir];
		struct result_prio *v = code_array(c, job->prio[dir], &n, sizeof(*v));

		for (size_t i = 0; i < n; i++) {
			CODE(c, v[i].sum.class);
			CODE(c, v[i].sum.level);
			CODE(c, v[i].sum.hint);
			code_u64s(c, &v[i].counts, sizeof(v[i].counts));
			code_bins(c, &v[i].bins);
		}
		job->prio[dir] = v;
		job->prios[dir] = (unsigned)n;
	}
}

/* ---- jobs ---- */

static void code_notes(struct coder *c, struct notes *notes)
{
	size_t n = notes->count;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		const char *line = c->out ? notes->line[i] : NULL;

		code_text(c, &line);
		if (!c->out && line)
			notes_add(notes, "%s", line);
	}
}

static void code_options(struct coder *c, const struct result_opt **list, size_t *n)
{
	struct result_opt *v = code_array(c, *list, n, sizeof(*v));

	for (size_t i = 0; i < *n; i++) {
		code_text(c, &v[i].name);
		code_text(c, &v[i].value);
		if (!c->out && (!v[i].name || !v[i].value)) {
			c->bad = true;
			v[i] = (struct result_opt){ "", "" };
		}
	}
	*list = v;
}

static void code_verify(struct coder *c, struct result_verify *v)
{
	CODE(c, v->on);
	CODE(c, v->checked);
	CODE(c, v->in_part);
	CODE(c, v->not_checked);
	CODE(c, v->damaged);
	code_text(c, &v->known_by);
	CODE(c, v->memory_bytes);
	CODE(c, v->unlisted);
}

static const uint64_t *code_steady_samples(struct coder *c, const uint64_t *v, size_t samples)
{
	size_t n = v ? samples : 0;
	uint64_t *list = code_array(c, v, &n, sizeof(*list));

	if (n)
		code_u64s(c, list, n * sizeof(*list));
	if (n && n != samples) {
		c->bad = true;
		return NULL;
	}
	return n ? list : NULL;
}

static void code_steady(struct coder *c, struct result_steady *s)
{
	CODE(c, s->on);
	if (!s->on)
		return;
	CODE(c, s->attained);
	code_text(c, &s->ss);
	code_text(c, &s->criterion);
	code_double(c, &s->max_deviation);
	code_double(c, &s->slope);
	CODE(c, s->bw_mean);
	CODE(c, s->iops_mean);
	CODE(c, s->lat_mean);
	CODE(c, s->samples);
	s->iops = code_steady_samples(c, s->iops, s->samples);
	s->bw = code_steady_samples(c, s->bw, s->samples);
	s->lat = code_steady_samples(c, s->lat, s->samples);
	if (!s->iops || !s->bw)
		s->samples = 0;
	CODE(c, s->duration_ns);
	CODE(c, s->interval_ns);
	CODE(c, s->attained_ns);
	code_double(c, &s->range_percent);
	code_double(c, &s->rise_percent);
}

static void code_latency_target(struct coder *c, struct result_latency_target *t)
{
	struct result_depth_step *step;

	CODE(c, t->on);
	if (!t->on)
		return;
	CODE(c, t->found);
	CODE(c, t->depth);
	CODE(c, t->iodepth);
	CODE(c, t->target_ns);
	CODE(c, t->window_ns);
	code_double(c, &t->percentile);
	step = code_array(c, t->step, &t->steps, sizeof(*step));
	for (size_t i = 0; i < t->steps; i++) {
		CODE(c, step[i].clone);
		CODE(c, step[i].depth);
		CODE(c, step[i].met);
		CODE(c, step[i].ios);
		CODE(c, step[i].within);
		CODE(c, step[i].ns);
	}
	t->step = step;
	CODE(c, t->left_out);
}

static void code_step_dir(struct coder *c, struct result_step_dir *d)
{
	CODE(c, d->rate);
	CODE(c, d->ios);
	CODE(c, d->bytes);
	CODE(c, d->late_ios);
	CODE(c, d->done_ios);
	CODE(c, d->done_bytes);
	code_double(c, &d->iops);
	CODE(c, d->bw_bytes);
	for (unsigned kind = 0; kind < STEP_LATS; kind++) {
		struct step_lat_figures *f = &d->lat[kind].sum;

		CODE(c, f->n);
		CODE(c, f->min);
		CODE(c, f->max);
		CODE(c, f->sum);
		code_double(c, &f->mean);
		code_u64s(c, f->percentile, sizeof(f->percentile));
		code_bins(c, &d->lat[kind].bins);
	}
}

static void code_rate_steps(struct coder *c, struct result_rate_steps *s)
{
	struct result_rate_step *step = code_array(c, s->step, &s->steps, sizeof(*step));

	CODE(c, s->by_bytes);
	CODE(c, s->dirs);
	for (size_t i = 0; i < s->steps; i++) {
		CODE(c, step[i].start_ns);
		CODE(c, step[i].length_ns);
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			code_step_dir(c, &step[i].dir[dir]);
	}
	s->step = step;
}

static void code_description(struct coder *c, struct result_job *job)
{
	code_text(c, &job->name);
	code_text(c, &job->description);
	CODE(c, job->group);
	CODE(c, job->members);
	CODE(c, job->pid);
	CODE(c, job->error);
	code_text(c, &job->error_text);
	code_text(c, &job->lost);
	CODE(c, job->lost_ios_total);
	CODE(c, job->start_ms);
	CODE(c, job->eta_known);
	CODE(c, job->eta_s);
	CODE(c, job->elapsed_s);
	code_options(c, &job->option, &job->options);
	code_text(c, &job->rw);
	code_text(c, &job->bs);
	code_text(c, &job->engine);
	CODE(c, job->iodepth);
	CODE(c, job->units.kb_base);
	CODE(c, job->units.figures);
	CODE(c, job->units.bits);
	CODE(c, job->continue_on_error);
	CODE(c, job->log.on);
	CODE(c, job->log.waits);
	CODE(c, job->log.waited_ns);
	CODE(c, job->rate_sleeps);
	CODE(c, job->zoned);
	CODE(c, job->zone_resets);
	CODE(c, job->no_io);
	CODE(c, job->mixed);
	CODE(c, job->both);
	code_text(c, &job->hostname);
	CODE(c, job->port);
}

static void code_file(struct coder *c, struct result_file *file)
{
	code_text(c, &file->path);
	c->bad |= !file->path;
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		bool used = file->dir[dir] != NULL;

		CODE(c, used);
		if (!used || c->bad)
			continue;
		if (!c->out)
			file->dir[dir] = arena_alloc(&c->r->mem, sizeof(*file->dir[dir]));
		if (!file->dir[dir]) {
			c->r->failed = true;
			return;
		}
		code_u64s(c, &file->dir[dir]->counts, sizeof(file->dir[dir]->counts));
		code_bins(c, &file->dir[dir]->bins);
	}
}

/* The counts of files, whose figures add_job() computes. */
static void code_files(struct coder *c, struct result_files *f)
{
	struct result_file *v;

	CODE(c, f->on);
	CODE(c, f->percentiles);
	CODE(c, f->lat);
	c->bad |= (unsigned)f->lat >= FILE_LATS;
	v = code_array(c, f->file, &f->n, sizeof(*v));
	for (size_t i = 0; i < f->n && !c->bad && !c->r->failed; i++)
		code_file(c, &v[i]);
	f->file = v;
	f->cap = f->n;
}

static void code_job(struct coder *c, struct result_job *job)
{
	code_description(c, job);
	code_verify(c, &job->verify);
	code_steady(c, &job->steady);
	code_latency_target(c, &job->latency_target);
	code_rate_steps(c, &job->rate_steps);
	code_counts(c, job);
	code_files(c, &job->files);
	code_prios(c, job);
	code_notes(c, &job->notes);
}

/* Adds an unpacked job, whose figures it computes. */
static void add_job(struct result *r, const struct result_job *job)
{
	struct summary_cfg cfg = job->counts.cfg;
	struct result_job *own = result_add_job(r, job);
	struct snapshot snap = { 0 };

	if (!own || result_snapshot(job, &snap) ||
	    (job->counts.known && result_set_snapshot(r, own, &snap, &cfg, true)))
		r->failed = true;
	else
		own->counts.exact = job->counts.exact;
	if (own && job->files.on) {
		own->files = job->files;
		result_files_finish(r, &own->files, &own->sum);
	}
	snap_fini(&snap);
}

static void code_jobs(struct coder *c)
{
	size_t n = c->r->jobs;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad && !c->r->failed; i++) {
		struct result_job job = { 0 };

		if (c->out)
			job = *c->r->job[i];
		code_job(c, &job);
		if (c->out)
			continue;
		if (!c->bad)
			add_job(c->r, &job);
		notes_fini(&job.notes);
	}
}

/* ---- the series ---- */

static void code_label(struct coder *c, struct result_series_label *l)
{
	code_text(c, &l->name);
	CODE(c, l->group);
	CODE(c, l->clone);
	CODE(c, l->in_report);
}

static void pack_cells(struct coder *c, const struct series_group *g)
{
	size_t n = g->cells.n;

	CODE(c, n);
	for (size_t i = 0; i < n; i++) {
		const struct series_cell *cell = &g->cells.v[i];
		size_t bytes = cell->rec ? cell->bytes : 0;

		CODE(c, bytes);
		strbuf_add(c->out, cell->rec ? (const char *)cell->rec : "", bytes);
	}
}

static void unpack_cells(struct coder *c, struct series *s, unsigned group, const struct series_group *from)
{
	size_t n = 0;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad; i++) {
		struct ival v = { 0 };
		size_t bytes = 0;

		code_length(c, &bytes);
		if (c->bad || (bytes && !ival_read(&v, c->at, bytes))) {
			c->bad = true;
			return;
		}
		c->at += bytes;
		v.first = from->first + i;
		v.span = 1;
		v.part_ns = 0;
		series_add(s, group, 0, from->kind, &v);
	}
}

static void code_group(struct coder *c, struct series *s, unsigned group)
{
	struct series_group g = c->out ? s->group[group] : (struct series_group){ 0 };

	CODE(c, g.first);
	CODE(c, g.kind);
	CODE(c, g.begin_ns);
	CODE(c, g.end_ns);
	c->bad |= g.kind > LAT_KINDS || g.first > SERIES_MAX_NS / series_interval_ns(s) ||
		  g.begin_ns > SERIES_MAX_NS || g.end_ns > SERIES_MAX_NS;
	if (c->out) {
		pack_cells(c, &g);
		return;
	}
	if (!c->bad)
		unpack_cells(c, s, group, &g);
	s->group[group].begin_ns = g.begin_ns;
	s->group[group].end_ns = g.end_ns;
}

static void code_series_data(struct coder *c, struct series *s, struct result_series_label *label,
			     unsigned groups)
{
	for (unsigned g = 0; g < groups && !c->bad && !c->r->failed; g++) {
		if (!c->out && series_add_group(s) < 0)
			c->r->failed = true;
		if (c->r->failed)
			return;
		code_label(c, &label[g]);
		code_group(c, s, g);
	}
}

static void unpack_series(struct coder *c, uint64_t len_ns, unsigned groups)
{
	struct result_series to = c->r->series;
	struct result_series_label *label = calloc(groups + 1, sizeof(*label));
	struct series s = { 0 };

	if (!label || series_init(&s, 0, len_ns, SERIES_BYTES))
		c->r->failed = true;
	else
		code_series_data(c, &s, label, groups);
	c->r->failed |= s.failed;
	if (!c->bad && !c->r->failed)
		result_move_series(c->r, &s, label, to.start_ms);
	c->r->series.on = to.on;
	c->r->series.per_job = to.per_job;
	series_fini(&s);
	free(label);
}

static void code_series(struct coder *c)
{
	struct result_series *s = &c->r->series;
	uint64_t len_ns = c->out && s->data.ngroups ? series_interval_ns(&s->data) : 0;
	size_t groups = s->label ? s->data.ngroups : 0;

	CODE(c, s->on);
	CODE(c, s->per_job);
	CODE(c, s->start_ms);
	CODE(c, len_ns);
	code_length(c, &groups);
	if (!groups || c->bad)
		return;
	if (c->out)
		code_series_data(c, &s->data, (struct result_series_label *)(uintptr_t)s->label,
				 (unsigned)groups);
	else if (!len_ns || len_ns > SERIES_MAX_NS)
		c->bad = true;
	else
		unpack_series(c, len_ns, (unsigned)groups);
}

/* ---- the frame ---- */

static void code_env(struct coder *c, struct result_env *e)
{
	code_text(c, &e->host);
	code_text(c, &e->os);
	code_text(c, &e->kernel);
	code_text(c, &e->arch);
	code_text(c, &e->cpu);
	CODE(c, e->cpus);
	CODE(c, e->memory_bytes);
}

static void code_exit(struct coder *c, struct result_exit *e)
{
	size_t n = e->count;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		int code = c->out ? e->all[i] : 0;

		CODE(c, code);
		if (!c->out && code > 0)
			result_exit_code(c->r, code);
	}
	CODE(c, e->signal);
	CODE(c, e->ran_ns);
}

static void code_disks(struct coder *c)
{
	size_t n = c->r->disks;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		struct result_disk d = { 0 };

		if (c->out)
			d = c->r->disk[i];
		code_text(c, &d.name);
		CODE(c, d.level);
		code_u64s(c, &d.counts, offsetof(struct result_disk_counts, util));
		code_double(c, &d.counts.util);
		if (!c->out && d.name)
			result_add_disk(c->r, &d);
		c->bad |= !d.name;
	}
}

static void code_host(struct coder *c, struct result_host *h)
{
	struct result_host_wave *wave;

	code_text(c, &h->hostname);
	c->bad |= !h->hostname;
	CODE(c, h->rank);
	CODE(c, h->program);
	wave = code_array(c, h->wave, &h->waves, sizeof(*wave));
	for (size_t i = 0; i < h->waves; i++) {
		CODE(c, wave[i].wave);
		CODE(c, wave[i].late_known);
		CODE(c, wave[i].start_ns);
		CODE(c, wave[i].start_late_ns);
		CODE(c, wave[i].took_ns);
	}
	h->wave = wave;
	CODE(c, h->ios);
	CODE(c, h->bytes);
	CODE(c, h->code);
	code_text(c, &h->error);
}

static void code_hosts(struct coder *c)
{
	size_t n = c->r->hosts.n;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad; i++) {
		struct result_host h = { 0 };

		if (c->out)
			h = c->r->hosts.v[i];
		code_host(c, &h);
		if (!c->out && !c->bad)
			result_add_host(c->r, &h);
	}
}

static void code_self(struct coder *c, struct result_self *s)
{
	code_u64s(c, s, sizeof(*s));
}

static void code_frame(struct coder *c)
{
	struct result *r = c->r;
	const struct result_opt *global = r->global;
	size_t globals = r->globals;

	CODE(c, r->as_fio);
	CODE(c, r->timestamp_ms);
	code_env(c, &r->env);
	code_text(c, &r->clock.source);
	code_options(c, &global, &globals);
	r->global = global;
	r->globals = globals;
	code_notes(c, &r->notes);
	code_self(c, &r->self);
	code_exit(c, &r->exit);
	code_disks(c);
	code_hosts(c);
	CODE(c, r->plan.workers);
	CODE(c, r->plan.processes);
	CODE(c, r->plan.threads);
}

static void pack_header(const struct result *r, struct strbuf *out)
{
	strbuf_puts(out, MAGIC);
	put_number(out, FORMAT);
	put_number(out, sizeof(struct wcount) + sizeof(struct wstat_dir) + sizeof(struct result_self));
	put_number(out, strlen(r->version));
	strbuf_puts(out, r->version);
}

static int refuse_header(const struct strbuf *expected, const unsigned char *pack, size_t bytes,
			 struct diag *d)
{
	size_t magic = strlen(MAGIC);

	if (bytes < magic || memcmp(pack, MAGIC, magic) != 0)
		return diag_kind(d, DIAG_RUN, -EBADMSG, "this is not a result of fiord");
	if (bytes < expected->len || memcmp(pack, expected->text, expected->len) != 0)
		return diag_kind(d, DIAG_RUN, -EPROTO, "the result comes from another version of fiord");
	return 0;
}

int result_pack(const struct result *r, struct strbuf *out)
{
	struct result copy = *r;
	struct coder c = { .out = out, .r = &copy };

	pack_header(r, out);
	code_frame(&c);
	code_jobs(&c);
	code_series(&c);
	return out->failed ? -ENOMEM : 0;
}

static int unpack_rest(struct coder *c, struct diag *d)
{
	code_frame(c);
	if (!c->bad)
		code_jobs(c);
	if (!c->bad && !c->r->failed)
		code_series(c);
	if (c->r->failed)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for a result");
	if (c->bad || c->at != c->end)
		return diag_kind(d, DIAG_RUN, -EBADMSG, "this result of fiord is damaged");
	result_finish(c->r);
	return 0;
}

int result_unpack(struct result *r, const char *version, const void *pack, size_t bytes, struct diag *d)
{
	struct strbuf header = { 0 };
	struct coder c = { .r = r };
	int ret;

	result_init(r, "fiord", version, "");
	pack_header(r, &header);
	ret = header.failed ? diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for a result")
			    : refuse_header(&header, pack, bytes, d);
	if (!ret) {
		c.at = (const unsigned char *)pack + header.len;
		c.end = (const unsigned char *)pack + bytes;
		ret = unpack_rest(&c, d);
	}
	strbuf_fini(&header);
	return ret;
}
