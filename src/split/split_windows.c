#include "split_windows.h"

/* While all requests are measured, the rates are checked this often. */
#define CHECK_NS UINT64_C(25000000)
/* After a window, the first check whether its requests are complete comes so soon. */
#define POLL_NS UINT64_C(1000000)

/* The programs write to the maps at any time. */
static uint64_t read_u64(const __u64 *v)
{
	return __atomic_load_n(v, __ATOMIC_RELAXED);
}

static void write_u64(__u64 *to, uint64_t v)
{
	__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

static void write_u32(__u32 *to, uint32_t v)
{
	__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

/* A worker that has not begun may begin at any time. */
static bool may_queue(const struct split_windows *w, const struct split_thread *t)
{
	return *(const volatile uint8_t *)(uintptr_t)t->phase <= w->phase;
}

/* ---- requests that outlive their window ---- */

/* At depth 1, the completion of the last I/O is known when the next one begins. */
static bool awaits_completion(const struct split_thread *t, uint64_t now)
{
	uint64_t start_ns = read_u64(&t->io.start_ns);

	return t->fast && t->rings && start_ns && start_ns + SPLIT_FOLLOW_NS > now;
}

/* Returns whether requests of a sample have not completed. Gives up those that are too old. */
static bool has_pending(struct split_windows *w, uint64_t now)
{
	bool pending = false;

	for (uint32_t i = 0; i < w->nthreads; i++)
		pending |= may_queue(w, &w->threads[i]) && awaits_completion(&w->threads[i], now);
	for (uint32_t i = 0; i < w->nsets * SPLIT_WAYS; i++) {
		struct split_request *req = &w->requests[i / SPLIT_WAYS].way[i % SPLIT_WAYS];
		__u64 bio = read_u64(&req->bio);

		if (bio && read_u64(&req->queued_ns) + SPLIT_FOLLOW_NS > now)
			pending = true;
		else if (bio && __atomic_compare_exchange_n(&req->bio, &bio, 0, false, __ATOMIC_RELAXED,
							    __ATOMIC_RELAXED))
			w->outlived++;
	}
	return pending;
}

/* ---- fast workers ---- */

/* Stores whether the worker is fast, by the bios that it queued in this time. For a fast worker the mean of
   several windows decides, so that it stays fast after a quiet moment. */
static void judge(struct split_thread *t, double fast_per_s, uint64_t ns)
{
	double rate = (double)read_u64(&t->bios) * 1e9 / (double)ns;

	t->rate = t->fast ? (uint64_t)((3 * (double)t->rate + rate) / 4) : (uint64_t)rate;
	write_u32(&t->fast, (double)t->rate > (t->fast ? fast_per_s / 2 : fast_per_s));
	t->sampled |= t->fast;
	write_u64(&t->bios, 0);
}

static uint32_t count_workers(const struct split_windows *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->nthreads; i++)
		n += may_queue(w, &w->threads[i]);
	return n;
}

/* Stores which workers are fast. Returns whether any is. */
static bool judge_all(struct split_windows *w, uint64_t now)
{
	double workers = count_workers(w), limit = w->fast_per_s;
	bool fast = false;

	w->mixed = false;
	if (workers > w->cpus)
		limit *= w->cpus / workers;
	for (uint32_t i = 0; i < w->nthreads; i++) {
		struct split_thread *t = &w->threads[i];

		if (!may_queue(w, t))
			continue;
		judge(t, limit, t->fast ? SPLIT_WINDOW_NS : now - w->begin_ns);
		fast |= t->fast;
		w->mixed |= !t->fast;
	}
	return fast;
}

static void begin_cycle(struct split_windows *w, uint64_t now)
{
	/* A cycle whose window did not open has counted no bios: the fast workers stay fast. */
	bool fast = (w->plan_ns && !w->opened) || judge_all(w, now);

	w->begin_ns = now;
	w->opened = false;
	w->plan_ns = fast ? now + rng_below(&w->rng, SPLIT_CYCLE_NS - SPLIT_WINDOW_NS) : 0;
	w->due_ns = fast ? w->plan_ns : now + CHECK_NS;
	write_u32(&w->state->others_sample, fast && !w->mixed);
}

/* ---- time ---- */

static uint64_t end_of_cycle(const struct split_windows *w)
{
	uint64_t end = w->begin_ns + (w->plan_ns ? SPLIT_CYCLE_NS : CHECK_NS);

	return w->opened && w->state->close_ns > end ? w->state->close_ns : end;
}

void split_windows_attached(struct split_windows *w, uint64_t now)
{
	write_u64(&w->state->attached_ns, now);
}

void split_windows_restart(struct split_windows *w, uint64_t now)
{
	for (uint32_t i = 0; i < w->nthreads; i++) {
		write_u32(&w->threads[i].fast, 0);
		write_u64(&w->threads[i].bios, 0);
	}
	write_u32(&w->state->others_sample, 0);
	w->begin_ns = now;
	w->plan_ns = 0;
	w->opened = false;
	w->due_ns = now + CHECK_NS;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool split_windows_tick(struct split_windows *w, uint64_t now)
{
	bool pending;

	if (now >= end_of_cycle(w))
		begin_cycle(w, now);
	w->ready = w->plan_ns && !w->opened && now >= w->plan_ns;
	if (!w->plan_ns || w->ready)
		return true;
	if (w->opened && now < w->state->close_ns)
		return true;
	pending = w->mixed || has_pending(w, now);
	w->due_ns = w->opened ? end_of_cycle(w) : w->plan_ns;
	if (pending && !w->mixed)
		w->due_ns = earlier(w->due_ns, now + POLL_NS + (now - w->state->close_ns) / 4);
	return pending;
}

void split_windows_open(struct split_windows *w, uint64_t now)
{
	if (!w->ready)
		return;
	w->ready = false;
	w->opened = true;
	write_u64(&w->state->close_ns, 0);
	write_u64(&w->state->open_ns, now);
	write_u32(&w->state->window, w->state->window + 1);
	write_u64(&w->state->close_ns, now + SPLIT_WINDOW_NS);
	w->due_ns = now + SPLIT_WINDOW_NS + POLL_NS;
}

struct split_sample split_windows_sample(const struct split_windows *w, const struct split_key *key)
{
	uint64_t ios = 0, requests = 0, lats = 0, sum = 0;
	bool sampled = false;

	for (uint32_t i = 0; i < w->nthreads; i++) {
		const struct split_thread *t = &w->threads[i];

		if (t->entry != key->entry)
			continue;
		sampled |= t->sampled;
		ios += t->ratio[key->dir].ios;
		requests += t->ratio[key->dir].requests;
		lats += t->ratio[key->dir].lats;
		sum += t->ratio[key->dir].lat_sum;
	}
	if (!sampled)
		return (struct split_sample){ 0 };
	return (struct split_sample){ .requests_per_io = ios ? (double)requests / (double)ios : 0,
				      .lat_ns = lats ? (double)sum / (double)lats : 0 };
}
