#include "sync_count.h"

#include <stdlib.h>
#include "file.h"
#include "io.h"
#include "options.h"

struct written_range {
	uint64_t from, to; /* to == 0: nothing was written */
};

bool sync_count_init(struct sync_count *s, const struct fsync_cfg *cfg, uint32_t nfiles)
{
	s->on = cfg->fsync || cfg->fdatasync || cfg->range.every;
	if (cfg->range.every)
		s->ranges = calloc(nfiles, sizeof(*s->ranges));
	return !cfg->range.every || s->ranges;
}

void sync_count_fini(struct sync_count *s)
{
	free(s->ranges);
	s->ranges = NULL;
}

void sync_count_note(struct sync_count *s, const struct io *io)
{
	struct written_range *r = &s->ranges[io->target];
	uint64_t end = io->offset + io->len;

	s->since_range++;
	if (!r->to || io->offset < r->from)
		r->from = io->offset;
	if (end > r->to)
		r->to = end;
}

void sync_count_fill_range(struct sync_count *s, struct io *io, unsigned flags)
{
	struct written_range *r = &s->ranges[io->target];
	uint64_t bytes = r->to - r->from;

	io->offset = r->from;
	io->len = bytes <= UINT32_MAX ? (uint32_t)bytes : 0; /* 0: to the end of the file */
	io->rwf = flags;
	*r = (struct written_range){ 0 };
}
