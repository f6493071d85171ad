#include "track.h"

#include <limits.h>
#include <string.h>

#define RING_MIN  16384u
#define RING_FINE 65536u /* of intervals shorter than this: */
#define FINE_NS   100000000u
/* With intervals of SELDOM_NS or more a punctual reader finds few records, and the start of the ring is
   enough. */
#define SELDOM_NS    500000000u
#define SELDOM_BYTES 2048u
#define ALIGN        64u
/* The length of a record precedes it and keeps records aligned. */
#define RECORD_HEAD 8u
#define RECORD_SKIP UINT64_MAX /* the next record is at the start of the ring */

static unsigned want(struct tracks_cfg *c, bool on_grid, uint64_t len_ns, unsigned moments, unsigned hists)
{
	unsigned i = 0;

	while (i < c->n && (c->track[i].len_ns != len_ns || c->track[i].on_grid != on_grid))
		i++;
	if (i == c->n)
		c->track[c->n++] = (struct track_cfg){ .len_ns = len_ns, .on_grid = on_grid };
	c->track[i].moments |= (uint8_t)(moments | hists);
	c->track[i].hists |= (uint8_t)hists;
	return i;
}

unsigned tracks_want(struct tracks_cfg *c, uint64_t len_ns, unsigned moments, unsigned hists)
{
	return want(c, false, len_ns, moments, hists);
}

unsigned tracks_want_on_grid(struct tracks_cfg *c, uint64_t len_ns, unsigned moments, unsigned hists)
{
	return want(c, true, len_ns, moments, hists);
}

/* A copy of a histogram as of the last close. Bucket `base`, somewhat below the first bucket in use, comes
   first, and the buckets below `base` come last, so that the copy takes as few pages as the buckets in use.
 */
#define COPY_BELOW 64
struct copy {
	uint32_t lo, hi, base, none;
	uint64_t n[HIST_BUCKETS];
};

static size_t align_up(size_t v)
{
	return (v + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t head_bytes(const struct tracks_cfg *c)
{
	return align_up(offsetof(struct tracks, track) + c->n * sizeof(struct track));
}

static bool has_copy(const struct track_cfg *c, const struct wstat_layout *l, unsigned d, unsigned k)
{
	return c->hists >> k & 1u && l->hist[d][k];
}

/* Returns the number of histograms with a copy before this one. */
static unsigned copies_before(const struct track_cfg *c, const struct wstat_layout *l, unsigned hist)
{
	unsigned n = 0;

	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			n += has_copy(c, l, d, k) && l->hist[d][k] < hist;
	return n;
}

static size_t copy_bytes(const struct track_cfg *c, const struct wstat_layout *l)
{
	return copies_before(c, l, UINT_MAX) * sizeof(struct copy);
}

/* Returns the size of the ring: a power of two that holds the largest record, wherever the last record
   ended. */
static size_t ring_bytes(const struct track_cfg *c, const struct wstat_layout *l)
{
	size_t least = c->len_ns < FINE_NS ? RING_FINE : RING_MIN, largest, bytes;
	unsigned lats = 0, hists = 0;

	for (unsigned d = 0; d < DIR_COUNT; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			lats += c->moments >> k & l->moments[d][k];
			hists += has_copy(c, l, d, k);
		}
	}
	largest = IVAL_BYTES(lats, hists) + 2 * RECORD_HEAD;
	for (bytes = least; bytes < 2 * largest; bytes *= 2)
		;
	return bytes;
}

size_t tracks_bytes(const struct tracks_cfg *c, const struct wstat_layout *l)
{
	size_t bytes = head_bytes(c);

	for (unsigned i = 0; i < c->n; i++)
		bytes += copy_bytes(&c->track[i], l) + ring_bytes(&c->track[i], l);
	return bytes;
}

static struct copy *copy_at(struct tracks *ts, const struct track *t, unsigned i)
{
	return (struct copy *)(void *)((unsigned char *)ts + t->copies_at) + i;
}

/* Returns the copy of a histogram by its number in wstat_layout.hist. */
static struct copy *copy_of(struct tracks *ts, const struct track *t, unsigned hist)
{
	return copy_at(ts, t, copies_before(&t->cfg, &ts->layout, hist));
}

static uint64_t *copy_bucket(struct copy *c, uint32_t i)
{
	return &c->n[i >= c->base ? i - c->base : i + HIST_BUCKETS - c->base];
}

static unsigned char *ring(struct tracks *ts, const struct track *t)
{
	return (unsigned char *)ts + t->ring_at;
}

static void extremes_reset(struct track_extremes *e)
{
	memset(e->min, 0xff, sizeof(e->min));
	memset(e->max, 0, sizeof(e->max));
}

static void extremes_join(struct track_extremes *e, unsigned d, unsigned k, uint64_t min, uint64_t max)
{
	if (min < e->min[d][k])
		e->min[d][k] = min;
	if (max > e->max[d][k])
		e->max[d][k] = max;
}

/* Resets a copy; the memory is zeroed or in use. */
static void copy_reset(struct copy *c)
{
	for (uint32_t i = c->lo; i <= c->hi && i < HIST_BUCKETS; i++)
		*copy_bucket(c, i) = 0;
	c->lo = HIST_BUCKETS;
	c->hi = 0;
}

static void start_one(struct tracks *ts, struct track *t, const struct track_cfg *c)
{
	t->cfg = *c;
	t->end_ns = ts->start_ns + c->len_ns;
	if (c->on_grid && ts->start_ns > ts->grid_ns)
		t->end_ns -= (ts->start_ns - ts->grid_ns) % c->len_ns;
	t->index = t->first = 0;
	memset(t->last, 0, sizeof(t->last));
	extremes_reset(&t->open);
	t->done = false;
	t->len = 0;
	for (unsigned i = copies_before(c, &ts->layout, UINT_MAX); i-- > 0;)
		copy_reset(copy_at(ts, t, i));
	atomic_store_explicit(&t->commit, 0, memory_order_relaxed);
	atomic_store_explicit(&t->tail, 0, memory_order_relaxed);
	atomic_store_explicit(&t->head, 0, memory_order_release);
}

static void next_end(struct tracks *ts)
{
	ts->end_ns = UINT64_MAX;
	for (unsigned i = 0; i < ts->n; i++)
		if (ts->track[i].end_ns < ts->end_ns)
			ts->end_ns = ts->track[i].end_ns;
}

void tracks_start(struct tracks *ts, const struct tracks_cfg *c, const struct wstat_layout *l,
		  uint64_t start_ns)
{
	uint64_t at = head_bytes(c);

	ts->layout = *l;
	ts->start_ns = start_ns;
	ts->finish_ns = 0;
	extremes_reset(&ts->all);
	for (unsigned i = 0; i < c->n; i++) {
		struct track *t = &ts->track[i];

		t->ring_at = at;
		t->ring_bytes = ring_bytes(&c->track[i], l);
		at += t->ring_bytes;
		t->copies_at = at;
		at += copy_bytes(&c->track[i], l);
		start_one(ts, t, &c->track[i]);
	}
	ts->n = c->n;
	next_end(ts);
}

/* Merges the extremes since the last close into the tracks and resets those in the wstat. */
static void take_extremes(struct tracks *ts, struct wstat *st)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			struct moments *m = &st->dir[d].lat[k];

			if (m->min > m->max)
				continue;
			extremes_join(&ts->all, d, k, m->min, m->max);
			for (unsigned i = 0; i < ts->n; i++)
				extremes_join(&ts->track[i].open, d, k, m->min, m->max);
			m->min = UINT64_MAX;
			m->max = 0;
		}
	}
}

static bool has_kind(unsigned bits, unsigned kind)
{
	return bits >> kind & 1;
}

static void put_bins(struct ival_out *o, const struct hist *now, struct copy *last)
{
	for (uint32_t i = now->lo; i <= now->hi && i < HIST_BUCKETS; i++) {
		uint64_t n = now->n[i] ? now->n[i] - *copy_bucket(last, i) : 0;

		if (n)
			ival_put_bin(o, i, n);
	}
}

static void put_lats(struct ival_out *o, struct tracks *ts, const struct track *t, const struct wstat *st,
		     unsigned d)
{
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		const struct moments *m = &st->dir[d].lat[k];
		const struct ival_lat l = { .n = m->n - t->last[d].n[k],
					    .sum = m->sum - t->last[d].sum[k],
					    .min = t->open.min[d][k],
					    .max = t->open.max[d][k] };
		unsigned hist = ts->layout.hist[d][k];

		if (!has_kind(t->cfg.moments, k) || !l.n)
			continue;
		ival_put_lat(o, k, &l);
		if (hist && has_kind(t->cfg.hists, k))
			put_bins(o, &st->hist[hist - 1], copy_of(ts, t, hist));
	}
}

/* Writes a record of the I/O since the last record, at most `bytes` long. Returns its length; 0 if it does
   not fit. */
static size_t write_record(struct tracks *ts, const struct track *t, const struct wstat *st,
			   const struct ival *head, unsigned char *to, size_t bytes)
{
	struct ival_out o;

	ival_begin(&o, to, bytes, head);
	for (unsigned d = 0; d < DIR_COUNT && !o.full; d++) {
		const struct wstat_dir *now = &st->dir[d];
		const struct ival_dir v = { .ios = now->ios - t->last[d].ios,
					    .bytes = now->bytes - t->last[d].bytes,
					    .errors = now->errors - t->last[d].errors,
					    .unfinished = now->unfinished - t->last[d].unfinished };

		if (!v.ios && !v.errors && !v.unfinished)
			continue;
		ival_put_dir(&o, d, &v);
		put_lats(&o, ts, t, st, d);
	}
	return ival_end(&o, to);
}

/* Histograms only grow, so copying again is harmless. */
static void copy_hist(struct copy *to, const struct hist *from)
{
	if (to->lo > to->hi)
		to->base = from->lo > COPY_BELOW && from->lo < HIST_BUCKETS ? from->lo - COPY_BELOW : 0;
	for (uint32_t i = from->lo; i <= from->hi && i < HIST_BUCKETS; i++) {
		uint64_t *n = copy_bucket(to, i);

		if (from->n[i] && *n != from->n[i])
			*n = from->n[i];
	}
	to->lo = from->lo;
	to->hi = from->hi;
}

/* Publishes a complete record and copies the counts that it covers. The reader can repeat this from any
   point, because a worker can be killed in here. */
static void commit(struct tracks *ts, struct track *t, const struct wstat *st)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct wstat_dir *now = &st->dir[d];

		t->last[d].ios = now->ios;
		t->last[d].bytes = now->bytes;
		t->last[d].errors = now->errors;
		t->last[d].unfinished = now->unfinished;
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			unsigned hist = ts->layout.hist[d][k];

			t->last[d].n[k] = now->lat[k].n;
			t->last[d].sum[k] = now->lat[k].sum;
			if (hist && has_kind(t->cfg.hists, k))
				copy_hist(copy_of(ts, t, hist), &st->hist[hist - 1]);
		}
	}
	extremes_reset(&t->open);
	atomic_store_explicit(&t->head, atomic_load_explicit(&t->commit, memory_order_relaxed),
			      memory_order_release);
	atomic_store_explicit(&t->commit, 0, memory_order_release);
}

/* Returns the bytes that a record of this length takes in the ring. */
static uint64_t ring_len(uint64_t len)
{
	return RECORD_HEAD + (len + RECORD_HEAD - 1) / RECORD_HEAD * RECORD_HEAD;
}

/* Writes the record at byte `at` of the ring, where `bytes` contiguous bytes are free. */
static bool append_at(struct tracks *ts, struct track *t, const struct wstat *st, const struct ival *head,
		      uint64_t at, size_t bytes)
{
	unsigned char *to = ring(ts, t) + at % t->ring_bytes;
	uint64_t was = atomic_load_explicit(&t->head, memory_order_relaxed), skip = RECORD_SKIP, len;

	if (bytes <= RECORD_HEAD)
		return false;
	len = write_record(ts, t, st, head, to + RECORD_HEAD, bytes - RECORD_HEAD);
	if (!len)
		return false;
	memcpy(to, &len, sizeof(len));
	if (at != was)
		memcpy(ring(ts, t) + was % t->ring_bytes, &skip, sizeof(skip));
	t->first = head->first + head->intervals;
	t->len = ring_len(len);
	atomic_store_explicit(&t->commit, at + ring_len(len), memory_order_release);
	commit(ts, t, st);
	return true;
}

/* Returns the position in the ring past which the next record goes back to the start, if the ring is
   empty. */
static uint64_t wrap_from(const struct track *t)
{
	uint64_t some = 4 * t->len > SELDOM_BYTES ? 4 * t->len : SELDOM_BYTES;

	return t->cfg.len_ns >= SELDOM_NS && some < t->ring_bytes / 4 ? some : t->ring_bytes / 4;
}

/* A record is contiguous. If the ring is empty and its position is past wrap_from, the record goes to the
   start, so that a ring with a punctual reader takes few pages. It must not go back too early: until the
   reader comes, the ring has room only up to the old position. */
static bool append(struct tracks *ts, struct track *t, const struct wstat *st, const struct ival *head)
{
	uint64_t at = atomic_load_explicit(&t->head, memory_order_relaxed);
	uint64_t tail = atomic_load_explicit(&t->tail, memory_order_acquire);
	uint64_t room = t->ring_bytes - (at - tail), behind = t->ring_bytes - at % t->ring_bytes;
	uint64_t here = room < behind ? room : behind, start = room > behind ? room - behind : 0;

	if (behind == t->ring_bytes)
		start = 0;
	if (at == tail && at % t->ring_bytes >= wrap_from(t) &&
	    append_at(ts, t, st, head, at + behind, start))
		return true;
	return append_at(ts, t, st, head, at, here) || append_at(ts, t, st, head, at + behind, start);
}

static bool append_until(struct tracks *ts, struct track *t, const struct wstat *st, uint64_t index)
{
	const struct ival head = { .first = t->first, .intervals = index - t->first };

	return append(ts, t, st, &head);
}

static void close_one(struct tracks *ts, struct track *t, const struct wstat *st, uint64_t now_ns)
{
	uint64_t ended;

	if (now_ns < t->end_ns)
		return;
	ended = (now_ns - t->end_ns) / t->cfg.len_ns + 1;
	if (append_until(ts, t, st, t->index + 1) && ended > 1)
		append_until(ts, t, st, t->index + ended);
	t->index += ended;
	t->end_ns += ended * t->cfg.len_ns;
}

void tracks_close(struct tracks *ts, struct wstat *st, uint64_t now_ns)
{
	if (now_ns < ts->end_ns || ts->end_ns == UINT64_MAX)
		return;
	take_extremes(ts, st);
	for (unsigned i = 0; i < ts->n; i++)
		close_one(ts, &ts->track[i], st, now_ns);
	next_end(ts);
}

static bool has_io(const struct track *t, const struct wstat *st)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		if (st->dir[d].ios != t->last[d].ios || st->dir[d].errors != t->last[d].errors ||
		    st->dir[d].unfinished != t->last[d].unfinished)
			return true;
	return false;
}

static void finish_one(struct tracks *ts, struct track *t, const struct wstat *st)
{
	struct ival head = { 0 };
	uint64_t begun;

	if (t->done)
		return;
	if (atomic_load_explicit(&t->commit, memory_order_acquire))
		commit(ts, t, st);
	close_one(ts, t, st, ts->finish_ns);
	if (t->first < t->index && !append_until(ts, t, st, t->index))
		return;
	begun = t->end_ns - t->cfg.len_ns;
	if (begun < ts->start_ns)
		begun = ts->start_ns;
	head.first = t->index;
	head.part_ns = ts->finish_ns > begun ? ts->finish_ns - begun : 0;
	t->done = (!head.part_ns && !has_io(t, st)) || append(ts, t, st, &head);
}

void tracks_finish(struct tracks *ts, struct wstat *st, uint64_t now_ns)
{
	if (!ts->start_ns)
		return;
	if (!ts->finish_ns)
		ts->finish_ns = now_ns;
	take_extremes(ts, st);
	for (unsigned i = 0; i < ts->n; i++)
		finish_one(ts, &ts->track[i], st);
	ts->end_ns = UINT64_MAX;
}

bool tracks_finished(const struct tracks *ts)
{
	for (unsigned i = 0; ts->start_ns && i < ts->n; i++)
		if (!ts->track[i].done)
			return false;
	return true;
}

/* Finds the start and the length of the oldest record. Returns false if the ring is empty. */
static bool oldest(struct tracks *ts, struct track *t, uint64_t *at, uint64_t *len)
{
	uint64_t tail = atomic_load_explicit(&t->tail, memory_order_relaxed), pos;

	for (;;) {
		if (tail == atomic_load_explicit(&t->head, memory_order_acquire))
			return false;
		pos = tail % t->ring_bytes;
		memcpy(len, ring(ts, t) + pos, sizeof(*len));
		if (*len != RECORD_SKIP)
			break;
		tail += t->ring_bytes - pos;
		atomic_store_explicit(&t->tail, tail, memory_order_release);
	}
	*at = tail;
	return *len <= t->ring_bytes - pos - RECORD_HEAD;
}

bool tracks_peek(struct tracks *ts, unsigned track, struct ival *v)
{
	struct track *t = &ts->track[track];
	uint64_t at, len;

	return track < ts->n && oldest(ts, t, &at, &len) &&
	       ival_read(v, ring(ts, t) + at % t->ring_bytes + RECORD_HEAD, len);
}

void tracks_drop(struct tracks *ts, unsigned track)
{
	struct track *t = &ts->track[track];
	uint64_t at, len;

	if (track < ts->n && oldest(ts, t, &at, &len))
		atomic_store_explicit(&t->tail, at + ring_len(len), memory_order_release);
}

void tracks_extremes(const struct tracks *ts, struct wstat_dir dir[DIR_COUNT])
{
	for (unsigned d = 0; ts->start_ns && d < DIR_COUNT; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			struct moments *m = &dir[d].lat[k];

			if (ts->all.min[d][k] < m->min)
				m->min = ts->all.min[d][k];
			if (ts->all.max[d][k] > m->max)
				m->max = ts->all.max[d][k];
		}
	}
}
