#include "log_parts.h"

#include <string.h>
#include "scale.h"

/* A last window shorter than this part of a whole one is added to the window before it. */
#define MIN_PART 10u

uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns)
{
	return rec->part_ns ? rec->first * len_ns + rec->part_ns : (rec->first + rec->intervals) * len_ns;
}

bool log_window_is_short(const struct ival *rec, uint64_t len_ns)
{
	return rec->part_ns && rec->part_ns < len_ns / MIN_PART;
}

static void add_lat(struct ival_lat *to, const struct ival_lat *from)
{
	if (!from->n)
		return;
	if (!to->n || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->n += from->n;
	to->sum += from->sum;
}

void log_window_add(struct ival *to, const struct ival *from, uint64_t len_ns)
{
	to->part_ns = log_window_end_ns(from, len_ns) - to->first * len_ns;
	to->intervals = 0;
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		to->dir[d].ios += from->dir[d].ios;
		to->dir[d].bytes += from->dir[d].bytes;
		to->dir[d].errors += from->dir[d].errors;
		for (unsigned k = 0; k < LAT_KINDS; k++)
			add_lat(&to->dir[d].lat[k], &from->dir[d].lat[k]);
	}
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
	uint64_t ns = rec->part_ns ? rec->part_ns : rec->intervals * len_ns;

	*line = (struct log_line){ .dir = (uint8_t)dir };
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
		line->value = kind == LOG_IOPS ? scale_round(d->ios, SCALE_NS, ns)
					       : scale_round(d->bytes, SCALE_NS, ns) / 1024;
		line->max = line->value;
		return true;
	case LOG_HIST:
	case LOG_IOLOG:
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
