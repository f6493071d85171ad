#include "log_window.h"

#include <string.h>
#include "scale.h"

/* This part of a window is long enough for a line. */
#define PART 10u

uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns)
{
	return rec->part_ns ? rec->first * len_ns + rec->part_ns : (rec->first + rec->span) * len_ns;
}

/* Those of a part that is too short stay out, unless it is all there is. */
static uint64_t rate_ns(const struct ival *rec, uint64_t len_ns)
{
	if (!rec->part_ns)
		return rec->span * len_ns;
	return rec->part_ns >= len_ns / PART || rec->first == 0 ? rec->part_ns : 0;
}

static bool lat_line(const struct ival_lat *l, enum log_window window, struct log_line *line)
{
	uint64_t mean = l->n ? (l->sum + l->n / 2) / l->n : 0;

	line->value = window == LOG_WINDOW_MAX ? l->max : mean;
	line->max = l->max;
	return l->n != 0;
}

bool log_window_line(const struct ival *rec, uint64_t len_ns, enum log_kind kind, unsigned dir,
		     enum log_window window, struct log_line *line)
{
	const struct ival_dir *d = &rec->dir[dir];
	uint64_t ns = rate_ns(rec, len_ns);

	*line = (struct log_line){ .dir = (uint8_t)dir };
	if (!ns)
		return false;
	switch (kind) {
	case LOG_SLAT:
		return lat_line(&d->lat[LAT_SLAT], window, line);
	case LOG_CLAT:
		return lat_line(&d->lat[LAT_CLAT], window, line);
	case LOG_LAT:
		return lat_line(&d->lat[LAT_LAT], window, line);
	case LOG_BW:
	case LOG_IOPS:
		if (!d->ios)
			return false;
		line->value = kind == LOG_IOPS ? scale_near(d->ios, SCALE_NS, ns)
					       : scale_near(d->bytes, SCALE_NS, ns) / 1024;
		line->max = line->value;
		return true;
	case LOG_HIST:
	case LOG_KINDS:
		break;
	}
	return false;
}

bool log_window_hist(const struct ival *rec, unsigned dir, uint64_t count[HIST_FIO_BUCKETS])
{
	struct ival_bins b = ival_bins(&rec->dir[dir].lat[LAT_CLAT]);
	unsigned bucket;
	uint64_t n;
	bool any = false;

	memset(count, 0, HIST_FIO_BUCKETS * sizeof(*count));
	while (ival_bin(&b, &bucket, &n)) {
		count[bucket < HIST_FIO_BUCKETS ? bucket : HIST_FIO_BUCKETS - 1] += n;
		any = true;
	}
	return any;
}
