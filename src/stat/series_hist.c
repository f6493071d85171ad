#include "series.h"

#define RECORD_BYTES IVAL_BYTES(1, 1)

void series_add_hist(struct series *s, unsigned group, uint64_t start, uint64_t intervals,
		     const struct hist *h)
{
	const struct ival head = { .intervals = intervals };
	struct ival_dir dir = { .ios = hist_total(h) };
	struct ival_lat lat = { .n = dir.ios };
	unsigned char record[RECORD_BYTES];
	struct ival_out out;
	struct ival rec;

	if (!lat.n)
		return;
	lat.min = hist_mid(h->lo);
	lat.max = hist_mid(h->hi);
	for (unsigned i = h->lo; i <= h->hi; i++)
		lat.sum += h->n[i] * hist_mid(i);
	ival_begin(&out, record, sizeof(record), &head);
	ival_put_dir(&out, DIR_READ, &dir);
	ival_put_lat(&out, LAT_CLAT, &lat);
	for (unsigned i = h->lo; i <= h->hi; i++)
		if (h->n[i])
			ival_put_bin(&out, i, h->n[i]);
	if (ival_read(&rec, record, ival_end(&out, record)))
		series_add(s, group, start, LAT_CLAT, &rec);
	else
		s->failed = true;
}
