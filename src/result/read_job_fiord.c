/* read_job_fiord.c: reads fiord's own keys in the entry of a job. */
#include <errno.h>
#include "counts.h"
#include "read_parts.h"

static void read_dirs_of_fiord(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct summary_dir *dir = &j->sum.dir[d];
		struct read_object o;

		if (!read_open_key(rd, &o, fiord, j->mixed && !d ? "mixed" : counts_dir_name[d]))
			continue;
		read_figures(rd, &o, figures_dir_exact, dir);
		read_lat(rd, &o, "resp_ns", j, &dir->lat[LAT_RESP], &j->bins[d][LAT_RESP]);
		read_figures(rd, &o, figures_dir_rate, dir);
		read_close(rd, &o);
	}
}

void read_job_fiord(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_figures(rd, &o, figures_job_fiord, j);
	read_figures(rd, &o, figures_job_lost, j);
	read_figures(rd, &o, figures_job_blocks, j);
	read_figures(rd, &o, figures_job_verify, j);
	read_dirs_of_fiord(rd, &o, j);
	read_figures(rd, &o, figures_job_steady_exact, j);
	read_figures(rd, &o, figures_job_target, j);
	if (j->latency_target.on && j->latency_target.iodepth)
		j->iodepth = j->latency_target.iodepth;
	read_rate_steps(rd, &o, j);
	read_figures(rd, &o, figures_job_self, j);
	read_notes(rd, &o, j);
	read_counts(rd, &o, j);
	read_close(rd, &o);
}

/* Damage has a text, too, and both of its values or none. */
static void describe_damage(struct reader *rd, struct result_damage *d)
{
	d->text = d->kind;
	if (d->expected && d->found)
		d->text = arena_printf(&rd->r->mem, "%s: %s expected, %s found", d->kind, d->expected,
				       d->found);
	else
		d->expected = d->found = NULL;
	if (!d->text)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
}

void read_job_lists(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_figures(rd, &o, figures_job_lost_io, j);
	read_figures(rd, &o, figures_job_damage, j);
	for (unsigned i = 0; i < j->verify.ndamages; i++)
		describe_damage(rd, &j->verify.damages[i]);
	read_files(rd, &o, j);
	read_close(rd, &o);
}
