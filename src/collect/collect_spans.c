#include "collect_spans.h"
#include "run_snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include "collect_span_parts.h"
#include "spans.h"
#include "topology.h"

/* ---- one time span ---- */

struct span_builder {
	struct result *r;
	const struct plan *p;
	const struct run *run;
	const struct target_storage *storage;
	const struct ds_profile *profile;
	const struct wave_usage *cpus;
	struct arena mem;
	unsigned number;
	/* Of the current span. */
	uint32_t wave;
	const struct ds_span *settings;
	struct result_span span;
	struct span_thread *thread;
	struct span_write_through *write_through;
	struct collect_lats total;
	struct by_target {
		uint32_t target; /* of the plan */
		struct collect_lats lats;
	} * target;
	size_t targets;
	struct per_file_bucket *buckets; /* -D, of all threads */
	uint32_t nbuckets;
	uint64_t bucket_ns;
	uint64_t faults[2]; /* minor, major */
	unsigned next;      /* number of the next thread */
	uint64_t shorts;    /* short I/Os that were continued */
	bool failed;
};

/* Jobs that DISKSPD could not run have no thread in its reports. */
static bool has_counterpart(const struct plan_job *pj)
{
	return !(pj->job->engine->caps & (ENG_META | ENG_NOIO | ENG_CHANGES_FILES)) && !(pj->rw & RW_TRIM);
}

static bool is_in_wave(const struct span_builder *s, const struct plan_job *pj)
{
	return pj->wave == s->wave && has_counterpart(pj);
}

static void *make(struct span_builder *s, size_t n, size_t bytes)
{
	void *v = arena_array(&s->mem, n ? n : 1, bytes);

	s->failed = s->failed || !v;
	return v;
}

/* ---- threads ---- */

static uint64_t target_size(const struct span_builder *s, const struct plan_file *f)
{
	const struct plan_target *t = &s->p->targets[f->target];

	if (t->facts->type == TARGET_BLOCK)
		return t->facts->size;
	/* A file that existed before may be longer than the part in use. */
	return t->facts->type == TARGET_FILE && !f->recreate && t->facts->size > f->size ? t->facts->size
											 : f->size;
}

/* Returns the paths of a worker that does not count its files separately, as filename= writes them ("a:b").
 */
static const char *paths_of(struct span_builder *s, const struct plan_job *pj, uint64_t *size)
{
	const char *path = NULL;

	*size = 0;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const char *next = s->p->targets[pj->files[i].target].path;

		*size += target_size(s, &pj->files[i]);
		path = path ? arena_printf(&s->mem, "%s:%s", path, next) : next;
	}
	return path ? path : "";
}

static struct by_target *target_of(struct span_builder *s, uint32_t target)
{
	size_t i = 0;

	while (i < s->targets && s->target[i].target != target)
		i++;
	if (i < s->targets)
		return &s->target[i];
	s->target[i].target = target;
	s->failed |= !collect_lats_init(&s->target[i].lats, true, &s->mem);
	s->targets++;
	return &s->target[i];
}

static void set_flow(struct span_row *row, const uint64_t ios[PER_FILE_DIRS],
		     const uint64_t bytes[PER_FILE_DIRS])
{
	row->flow[SPAN_READ].ios = ios[DIR_READ];
	row->flow[SPAN_READ].bytes = bytes[DIR_READ];
	row->flow[SPAN_WRITE].ios = ios[DIR_WRITE];
	row->flow[SPAN_WRITE].bytes = bytes[DIR_WRITE];
}

static void set_lats(struct span_builder *s, struct span_flow flow[SPAN_KINDS], const struct collect_lats *l)
{
	struct span_lat *lat[SPAN_KINDS] = { &flow[0].lat, &flow[1].lat, &flow[2].lat };

	s->failed |= !collect_lats_convert(l, lat, &s->mem);
}

/* -D: sets the intervals of one file of a thread, and adds them to those of the span. */
static void set_buckets(struct span_builder *s, struct span_row *row, const struct plan_job *pj,
			uint32_t file)
{
	const struct per_file_cfg *c = &pj->per_file;
	const struct per_file_bucket *v;

	if (!c->buckets || (s->bucket_ns && (s->bucket_ns != c->bucket_ns || s->nbuckets != c->buckets)))
		return;
	v = per_file_buckets(slot_part(run_slot(s->run, pj->index), pj, SLOT_PER_FILE), c, file);
	s->bucket_ns = c->bucket_ns;
	s->nbuckets = c->buckets;
	row->nbuckets =
		collect_buckets_convert(v, c->buckets, c->bucket_ns, &row->buckets, row->flow, &s->mem);
	s->failed |= !row->buckets || !collect_buckets_add(&s->buckets, v, c->buckets, &s->mem);
}

static unsigned storage_of(const struct span_builder *s, const struct plan_job *pj, uint32_t file)
{
	return target_storage_number(s->storage, s->p->targets[pj->files[file].target].facts);
}

/* Sets the row of one file of a thread that counts its files separately. */
static void set_file_row(struct span_builder *s, struct span_row *row, const struct plan_job *pj,
			 uint32_t file)
{
	const struct per_file *part =
		per_file_of(slot_part(run_slot(s->run, pj->index), pj, SLOT_PER_FILE), file);
	const uint64_t ios[PER_FILE_DIRS] = { part->lat[DIR_READ].n, part->lat[DIR_WRITE].n };
	struct collect_lats lats = { 0 };

	row->path = s->p->targets[pj->files[file].target].path;
	row->size = target_size(s, &pj->files[file]);
	row->storage = storage_of(s, pj, file);
	set_flow(row, ios, part->bytes);
	collect_lats_add_file(&lats, part, false);
	set_lats(s, row->flow, &lats);
	collect_lats_add_file(&target_of(s, pj->files[file].target)->lats, part, true);
	collect_lats_add_file(&s->total, part, true);
	set_buckets(s, row, pj, file);
}

static void set_worker_row(struct span_builder *s, struct span_row *row, const struct plan_job *pj,
			   const struct snapshot *snap)
{
	const struct wstat_dir *dir = snap->st->dir;
	const uint64_t ios[PER_FILE_DIRS] = { dir[DIR_READ].ios, dir[DIR_WRITE].ios };
	const uint64_t bytes[PER_FILE_DIRS] = { dir[DIR_READ].bytes, dir[DIR_WRITE].bytes };
	struct collect_lats lats = { 0 };

	row->path = paths_of(s, pj, &row->size);
	row->storage = pj->nfiles == 1 ? storage_of(s, pj, 0) : 0;
	set_flow(row, ios, bytes);
	collect_lats_add_snapshot(&lats, snap);
	set_lats(s, row->flow, &lats);
	if (pj->nfiles == 1)
		collect_lats_add_snapshot(&target_of(s, pj->files[0].target)->lats, snap);
	collect_lats_add_snapshot(&s->total, snap);
	set_buckets(s, row, pj, 0);
}

/* Returns true if a signal ended the run before this worker had finished. */
static bool was_interrupted(const struct run *run, const struct slot *slot)
{
	return run->signals.first && (!slot->run_start_ns || slot->run_end_ns >= run->signals.first_ns);
}

/* Sets the reason why the span ended early. */
static void set_error(struct span_builder *s, const struct plan_job *pj)
{
	const struct slot *slot = run_slot(s->run, pj->index);

	if (s->span.error)
		return;
	if (slot->error_text[0])
		s->span.error = slot->error_text;
	else if (slot->lost_reason[0])
		s->span.error = slot->lost_reason;
	else if (was_interrupted(s->run, slot))
		s->span.error =
			arena_printf(&s->mem, "terminated by SIG%s", sigabbrev_np(s->run->signals.first));
	s->span.interrupted = was_interrupted(s->run, slot) && !slot->error_text[0] && !slot->lost_reason[0];
}

static bool is_write_through(const struct ds_span *settings, const char *path)
{
	for (size_t i = 0; i < settings->ntargets; i++)
		if (settings->targets[i].write_percent && settings->targets[i].write_through &&
		    !strcmp(settings->targets[i].path, path))
			return true;
	return false;
}

static void add_write_through(struct span_builder *s, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &s->p->targets[pj->files[i].target];
		const char *method = target_storage_durable(s->storage, t->facts);
		size_t k = 0;

		if (!is_write_through(s->settings, t->path))
			continue;
		while (k < s->span.nwrite_throughs && strcmp(s->write_through[k].path, t->path) != 0)
			k++;
		if (k == s->span.nwrite_throughs)
			s->write_through[s->span.nwrite_throughs++] =
				(struct span_write_through){ t->path, method ? method : "not known" };
	}
}

static uint64_t submits(const struct wcount *c)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < WSTAT_DEPTHS; i++)
		n += c->submit[i];
	return n;
}

/* -vs: how the thread waited. A sync engine does not wait for completions. */
static void set_waits(struct span_builder *s, struct span_thread *t, const struct plan_job *pj,
		      const struct wcount *c)
{
	const struct per_file_waits *waits;

	t->waits.throttle = c->due_waits_engine;
	t->waits.throttle_sleep = c->due_waits_idle;
	if (!pj->per_file.waits)
		return;
	waits = per_file_waits_of(slot_part(run_slot(s->run, pj->index), pj, SLOT_PER_FILE), &pj->per_file);
	t->waits.completion = waits->waits;
	t->waits.lookaside = t->waits.found[0] = waits->polls;
	for (unsigned i = 0; i < PER_FILE_FOUND; i++) {
		unsigned ios = i + 1 < SPAN_FOUND ? i + 1 : SPAN_FOUND - 1;

		t->waits.found[ios] += waits->found[i];
		t->waits.found[0] -= waits->found[i];
		t->waits.woken[i] = waits->woken[i];
	}
}

static void set_rows(struct span_builder *s, struct span_thread *t, const struct plan_job *pj,
		     const struct snapshot *snap)
{
	struct span_row *row;

	t->nrows = pj->per_file.hists ? pj->nfiles : 1;
	t->rows = row = make(s, t->nrows, sizeof(*row));
	for (uint32_t i = 0; !s->failed && i < t->nrows; i++) {
		if (pj->per_file.hists)
			set_file_row(s, &row[i], pj, i);
		else
			set_worker_row(s, row, pj, snap);
	}
}

/* Returns whether the warm-up was over. A worker that ends during it still has a moment of measurement. */
static bool was_measured(const struct span_builder *s, const struct plan_job *pj)
{
	const struct region_stage *stage = &s->run->region.stages[pj->stage];
	uint64_t start = atomic_load_explicit(&stage->start_ns, memory_order_relaxed);

	return run_slot(s->run, pj->index)->run_start_ns >= start + pj->job->opts.time.ramp_ns;
}

/* Returns the thread's number. Threads that got no work from thread_group have numbers, too. */
static unsigned number_thread(struct span_builder *s, const struct plan_job *pj)
{
	uint32_t due = pj->index && pj[-1].section == pj->section ? pj[-1].clone + 1 : 0;
	unsigned number = s->next + pj->clone - due;

	s->next = number + 1;
	return number;
}

static int add_thread(struct span_builder *s, const struct plan_job *pj)
{
	struct span_thread *t = &s->thread[s->span.nthreads];
	struct snapshot snap = { 0 };
	int ret = pj->nfiles ? run_snapshot(s->run, pj->index, &snap) : 0;
	double seconds;

	if (!ret && pj->nfiles) {
		*t = (struct span_thread){ .id = number_thread(s, pj), .submits = submits(&snap.cnt) };
		s->span.nthreads++;
		set_rows(s, t, pj, &snap);
		set_waits(s, t, pj, &snap.cnt);
		s->faults[0] += snap.cnt.minf;
		s->faults[1] += snap.cnt.majf;
		for (unsigned d = 0; d < PER_FILE_DIRS; d++)
			s->shorts += snap.st->dir[d].short_ios;
		seconds = (double)snap.cnt.job_runtime_ns / 1e9;
		if (seconds > s->span.seconds && was_measured(s, pj))
			s->span.seconds = seconds;
		set_error(s, pj);
		add_write_through(s, pj);
	}
	snap_fini(&snap);
	return ret;
}

static void set_targets(struct span_builder *s)
{
	struct span_target *v = make(s, s->targets, sizeof(*v));

	for (size_t i = 0; !s->failed && i < s->targets; i++) {
		struct span_lat *lat[SPAN_KINDS] = { &v[i].lat[0], &v[i].lat[1], &v[i].lat[2] };

		v[i].path = s->p->targets[s->target[i].target].path;
		s->failed |= !collect_lats_convert(&s->target[i].lats, lat, &s->mem);
	}
	s->span.targets = v;
	s->span.ntargets = s->targets;
}

/* Sets the CPU use, the CPUs that threads were pinned to, and the events of -e. */
static void set_use(struct span_builder *s)
{
	const struct event_counts counted = { .disk = wave_usage_disk_ios(s->cpus, s->wave),
					      .faults = s->faults,
					      .kernel = wave_usage_kernel(s->cpus, s->wave) };
	struct cpuset pinned = { 0 };

	for (uint32_t i = 0; i < s->p->njobs; i++) {
		const struct plan_job *pj = &s->p->jobs[i];

		for (unsigned cpu = 0; is_in_wave(s, pj) && pj->cpus && cpu < CPUSET_MAX; cpu++)
			if (cpuset_has(pj->cpus, cpu))
				cpuset_add(&pinned, cpu);
	}
	s->failed |=
		!collect_cpus(&s->span, &s->r->spans->system, wave_usage_cpus(s->cpus, s->wave), &s->mem) ||
		!collect_affinity(&s->span, &s->r->spans->system, &pinned, &s->mem) ||
		!collect_events(&s->span, s->profile, &counted, &s->mem);
}

static void set_sums(struct span_builder *s)
{
	set_lats(s, s->span.flow, &s->total);
	if (s->targets > 1)
		set_targets(s);
	if (s->nbuckets)
		s->span.nbuckets = collect_buckets_convert(s->buckets, s->nbuckets, s->bucket_ns,
							   &s->span.buckets, s->span.flow, &s->mem);
	set_use(s);
	s->span.threads = s->thread;
	s->span.write_throughs = s->write_through;
}

static int add_span(struct span_builder *s, uint32_t members, uint32_t files)
{
	int ret = 0;

	s->settings = &s->profile->spans[s->number];
	s->span = (struct result_span){ .number = ++s->number,
					.seconds_cfg = s->settings->duration_s,
					.requests = s->settings->requests };
	s->targets = 0;
	s->next = 0;
	s->buckets = NULL;
	s->faults[0] = s->faults[1] = s->shorts = 0;
	s->bucket_ns = s->nbuckets = 0;
	s->thread = make(s, members, sizeof(*s->thread));
	s->write_through = make(s, files, sizeof(*s->write_through));
	s->target = make(s, files, sizeof(*s->target));
	s->failed |= !collect_lats_init(&s->total, true, &s->mem);
	for (uint32_t i = 0; !s->failed && i < s->p->njobs && !ret; i++)
		if (is_in_wave(s, &s->p->jobs[i]) && s->p->jobs[i].job->opts.report.stats)
			ret = add_thread(s, &s->p->jobs[i]);
	if (!ret && !s->failed)
		set_sums(s);
	if (!ret && !s->failed)
		s->failed = !collect_dists(&s->span, s->settings, &s->mem);
	if (!ret && !s->failed)
		result_add_span(s->r, &s->span);
	if (s->shorts)
		result_note(s->r,
			    "time span %u: %" PRIu64
			    " I/Os were short and were continued; each counts once, with all its "
			    "bytes",
			    s->number, s->shorts);
	return s->failed ? -ENOMEM : ret;
}

/* Returns false for a time span that did not begin before the run ended: the report leaves it out. The first
   span is always in the report. */
static bool has_begun(const struct span_builder *s, const struct plan_job *pj)
{
	const struct slot *slot = run_slot(s->run, pj->index);

	return !s->number || slot->run_start_ns || slot->error_text[0] || slot->lost_reason[0];
}

static int add_wave(struct span_builder *s, uint32_t wave)
{
	uint32_t members = 0, files = 0;
	bool turn = false;

	s->wave = wave;
	for (uint32_t i = 0; i < s->p->njobs; i++) {
		if (!is_in_wave(s, &s->p->jobs[i]))
			continue;
		members++;
		turn |= has_begun(s, &s->p->jobs[i]);
		files += s->p->jobs[i].nfiles;
	}
	return turn && s->number < s->profile->nspans ? add_span(s, members, files) : 0;
}

/* ---- all time spans ---- */

static int set_head(struct span_builder *s, const struct spans_source *source)
{
	const struct job_diskspd *line = &s->p->set->diskspd;
	struct result_spans head = { .profile = source->profile,
				     .command = line->profile ? line->command : s->r->command,
				     .layout = line->layout,
				     .as_diskspd = line->as_diskspd };
	uint64_t ran_ms = (s->run->end_ns - s->run->start_ns) / 1000000;
	int ret = topology_read(&head.system, &s->mem);

	head.system.computer = s->r->env.host;
	head.system.processor = s->r->env.cpu;
	head.system.start_ms = s->r->timestamp_ms > ran_ms ? s->r->timestamp_ms - ran_ms : 0;
	if (!ret)
		result_set_spans(s->r, &head);
	return ret;
}

int collect_spans(struct result *r, const struct spans_source *source, const struct plan *p,
		  const struct run *run, const struct target_storage *storage)
{
	struct span_builder s = { .r = r,
				  .p = p,
				  .run = run,
				  .storage = storage,
				  .profile = source->profile,
				  .cpus = source->cpus };
	int ret;

	if (!s.profile)
		return 0;
	ret = set_head(&s, source);
	for (uint32_t wave = 0; wave < p->nwaves && !ret; wave++)
		ret = add_wave(&s, wave);
	for (size_t i = 0; i < source->dropped.count; i++)
		result_note(r, "DISKSPD's report does not show: %s", source->dropped.line[i]);
	result_finish_spans(r);
	arena_fini(&s.mem);
	return ret;
}
