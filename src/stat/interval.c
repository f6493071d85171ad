#include "interval.h"

#include <string.h>

/* The kinds of entries in a record. The low four bits of a tag are the direction or the latency's kind. */
enum tag { TAG_END = 0, TAG_DIR = 0x10, TAG_LAT = 0x20, TAG_BINS = 0x40, TAG_MASK = 0x70 };

/* Appends a number to a record: 7 bits per byte, the lowest bits first. */
static void put_varint(struct ival_out *o, uint64_t v)
{
	while (o->at < o->end && v >= 0x80) {
		*o->at++ = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	if (o->at < o->end)
		*o->at++ = (unsigned char)v;
	else
		o->full = true;
}

static bool get_varint(const unsigned char **at, const unsigned char *end, uint64_t *v)
{
	unsigned shift = 0;

	for (*v = 0; *at < end && shift < 64; shift += 7) {
		unsigned char c = *(*at)++;

		*v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}

void ival_begin(struct ival_out *o, void *to, size_t bytes, const struct ival *head)
{
	unsigned char *at = to;

	*o = (struct ival_out){ .at = at, .end = at + bytes };
	put_varint(o, head->first);
	put_varint(o, head->intervals);
	put_varint(o, head->part_ns);
}

static void end_bins(struct ival_out *o)
{
	if (o->in_bins)
		put_varint(o, 0);
	o->in_bins = false;
}

void ival_put_dir(struct ival_out *o, unsigned dir, const struct ival_dir *d)
{
	end_bins(o);
	put_varint(o, TAG_DIR | dir);
	put_varint(o, d->ios);
	put_varint(o, d->bytes);
	put_varint(o, d->errors);
	put_varint(o, d->unfinished);
}

void ival_put_lat(struct ival_out *o, unsigned kind, const struct ival_lat *l)
{
	end_bins(o);
	put_varint(o, TAG_LAT | kind);
	put_varint(o, l->n);
	put_varint(o, l->sum);
	put_varint(o, l->min);
	put_varint(o, l->max);
}

void ival_put_bin(struct ival_out *o, unsigned bucket, uint64_t count)
{
	if (!o->in_bins) {
		put_varint(o, TAG_BINS);
		o->in_bins = true;
		o->next = 0;
	}
	put_varint(o, bucket + 1 - o->next);
	put_varint(o, count);
	o->next = bucket + 1;
}

size_t ival_end(struct ival_out *o, const void *to)
{
	end_bins(o);
	put_varint(o, TAG_END);
	return o->full ? 0 : (size_t)(o->at - (const unsigned char *)to);
}

/* Reads the next bin. It needs no end pointer, because ival_read has checked the record. */
bool ival_bin(struct ival_bins *b, unsigned *bucket, uint64_t *count)
{
	uint64_t step;

	if (!b->at || !get_varint(&b->at, b->at + 10, &step) || !step) {
		b->at = NULL;
		return false;
	}
	b->next += (unsigned)step;
	*bucket = b->next - 1;
	return get_varint(&b->at, b->at + 10, count);
}

void ival_add_bins(const struct ival_lat *l, struct hist *h)
{
	struct ival_bins b = ival_bins(l);
	unsigned bucket;
	uint64_t count;

	while (ival_bin(&b, &bucket, &count))
		hist_add_bucket(h, bucket, count);
}

static bool skip_bins(const unsigned char **at, const unsigned char *end)
{
	uint64_t step, count, next = 0;

	while (get_varint(at, end, &step)) {
		if (!step)
			return true;
		next += step;
		if (step > HIST_BUCKETS || next > HIST_BUCKETS || !get_varint(at, end, &count))
			return false;
	}
	return false;
}

static bool get_dir(const unsigned char **at, const unsigned char *end, struct ival_dir *d)
{
	return get_varint(at, end, &d->ios) && get_varint(at, end, &d->bytes) &&
	       get_varint(at, end, &d->errors) && get_varint(at, end, &d->unfinished);
}

static bool get_lat(const unsigned char **at, const unsigned char *end, struct ival_lat *l)
{
	return get_varint(at, end, &l->n) && get_varint(at, end, &l->sum) && get_varint(at, end, &l->min) &&
	       get_varint(at, end, &l->max);
}

bool ival_read(struct ival *v, const void *from, size_t bytes)
{
	const unsigned char *at = from, *end = at + bytes;
	struct ival_dir *d = NULL;
	struct ival_lat *l = NULL;

	memset(v, 0, sizeof(*v));
	if (!get_varint(&at, end, &v->first) || !get_varint(&at, end, &v->intervals) ||
	    !get_varint(&at, end, &v->part_ns))
		return false;
	while (at < end) {
		unsigned tag = *at++, index = tag & 0xf;
		bool good = false;

		if (tag == TAG_END)
			return true;
		if ((tag & TAG_MASK) == TAG_DIR && index < DIR_COUNT) {
			d = &v->dir[index];
			l = NULL;
			good = get_dir(&at, end, d);
		} else if ((tag & TAG_MASK) == TAG_LAT && index < LAT_KINDS && d) {
			l = &d->lat[index];
			good = get_lat(&at, end, l);
		} else if (tag == TAG_BINS && l) {
			l->bins = at;
			good = skip_bins(&at, end);
		}
		if (!good)
			return false;
	}
	return false;
}
