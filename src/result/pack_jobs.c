/* pack_jobs.c: packs and unpacks the entries of the report. */
#include "files.h"
#include "job_snapshot.h"
#include "pack_coder.h"

/* ---- counts ---- */

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

/* Reports convert a percentile to a whole number of 10^-12. */
static void code_percentile(struct coder *c, double *v)
{
	code_double(c, v);
	c->bad |= !(*v >= 0 && *v <= 100);
}

static void code_cfg(struct coder *c, struct summary_cfg *cfg)
{
	CODE(c, cfg->npercentiles);
	if (cfg->npercentiles > SUMMARY_PERCENTILES) {
		c->bad = true;
		cfg->npercentiles = 0;
	}
	for (unsigned i = 0; i < cfg->npercentiles; i++)
		code_percentile(c, &cfg->percentiles[i]);
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
		size_t n = job->nprios[dir];
		struct result_prio *v = code_array(c, job->prios[dir], &n, sizeof(*v));

		for (size_t i = 0; i < n; i++) {
			CODE(c, v[i].sum.class);
			CODE(c, v[i].sum.level);
			CODE(c, v[i].sum.hint);
			code_u64s(c, &v[i].counts, sizeof(v[i].counts));
			code_bins(c, &v[i].bins);
		}
		job->prios[dir] = v;
		job->nprios[dir] = (unsigned)n;
	}
}

/* ---- jobs ---- */

static void code_latency_target(struct coder *c, struct result_job *job)
{
	struct result_latency_target *t = &job->latency_target;

	CODE(c, t->on);
	if (!t->on)
		return;
	CODE(c, t->depth);
	CODE(c, t->target_ns);
	CODE(c, t->window_ns);
	code_percentile(c, &t->percentile);
	code_figures(c, figures_job_target, job);
}

static void code_step_dir(struct coder *c, struct result_step_dir *d)
{
	code_figures(c, figures_step_dir, d);
	for (unsigned kind = 0; kind < STEP_LATS; kind++) {
		struct step_lat_figures *f = &d->lat[kind].sum;

		code_figures(c, figures_step_lat, f);
		code_u64s(c, f->percentile, sizeof(f->percentile));
		code_bins(c, &d->lat[kind].bins);
	}
}

static void code_rate_steps(struct coder *c, struct result_rate_steps *s)
{
	struct result_rate_step *step = code_array(c, s->steps, &s->nsteps, sizeof(*step));

	CODE(c, s->by_bytes);
	CODE(c, s->dirs);
	for (size_t i = 0; i < s->nsteps; i++) {
		code_figures(c, figures_step, &step[i]);
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			code_step_dir(c, &step[i].dir[dir]);
	}
	s->steps = step;
}

static void code_description(struct coder *c, struct result_job *job)
{
	code_figures(c, figures_job_apart, job);
	code_figures(c, figures_job_description, job);
	code_figures(c, figures_job_fiord, job);
	code_figures(c, figures_job_lost, job);
	code_figures(c, figures_job_zones, job);
	code_figures(c, figures_job_split, job);
	code_figures(c, figures_job_others, job);
	CODE(c, job->eta_known);
	CODE(c, job->eta_s);
	code_options(c, &job->options, &job->noptions);
	CODE(c, job->iodepth);
	CODE(c, job->units.kb_base);
	CODE(c, job->units.figures);
	CODE(c, job->units.bits);
	CODE(c, job->continue_on_error);
	CODE(c, job->no_io);
	CODE(c, job->mixed);
	CODE(c, job->both);
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
	code_figures(c, figures_job_blocks, job);
	code_figures(c, figures_job_verify, job);
	code_figures(c, figures_job_steady, job);
	code_latency_target(c, job);
	code_rate_steps(c, &job->rate_steps);
	code_figures(c, figures_job_placement, job);
	code_figures(c, figures_job_placed, job);
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

void code_jobs(struct coder *c)
{
	size_t n = c->r->njobs;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad && !c->r->failed; i++) {
		struct result_job job = { 0 };

		if (c->out)
			job = *c->r->jobs[i];
		code_job(c, &job);
		if (c->out)
			continue;
		if (!c->bad)
			add_job(c->r, &job);
		notes_fini(&job.notes);
	}
}
