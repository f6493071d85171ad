#include "file_stats.h"

size_t file_stats_bytes(const struct file_stats_cfg *c)
{
	return (size_t)c->files * DIR_COUNT *
	       (sizeof(struct file_dir) + (c->hists ? sizeof(struct hist) : 0));
}

size_t file_stats_used_bytes(const struct file_stats_cfg *c)
{
	size_t dirs = (size_t)__builtin_popcount(c->dirs);

	return c->files * dirs * (sizeof(struct file_dir) + (c->hists ? sizeof(struct hist) : 0));
}

void file_stats_add(void *counts, const struct file_stats_cfg *c, uint32_t file, unsigned dir, uint64_t bytes,
		    const uint64_t lat_ns[FILE_LATS])
{
	struct file_dir *d = file_stats_dir(counts, c, file, dir);

	for (unsigned k = 0; k < FILE_LATS; k++)
		if (c->lat[k] & 1u << dir)
			moments_add_to_zero(&d->lat[k], lat_ns[k]);
	if (c->hists && c->lat[file_stats_hist_lat(c, dir)] & 1u << dir) {
		struct hist *h = file_stats_hist(counts, c, file, dir);

		if (!d->ios)
			hist_reset(h);
		hist_add(h, lat_ns[file_stats_hist_lat(c, dir)]);
	}
	d->bytes += bytes;
	d->ios++;
}

bool file_dir_used(const struct file_dir *d)
{
	return d->ios || d->errors || d->short_ios;
}

void file_dir_merge(struct file_dir *to, const struct file_dir *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->short_ios += from->short_ios;
	to->errors += from->errors;
	for (unsigned k = 0; k < FILE_LATS; k++)
		moments_merge(&to->lat[k], &from->lat[k]);
}
