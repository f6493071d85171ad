#include "helper_cpu.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "sysfs.h"
#include "thread_cpu.h"
#include "vec.h"

/* Looking at all threads takes time, so thousands of workers that begin together look once. */
#define AGAIN_NS 2000000u

/* A thread of fiord's. */
struct own {
	pid_t tid, worker;
};

/* A helper thread of io_uring. */
struct ring_helper {
	pid_t tid, worker; /* worker 0: not known */
	uint64_t ns;       /* its time so far */
	bool alive;
};

struct helper_cpu {
	struct helper_cpu_cfg cfg;
	pid_t tid;
	uint64_t ios; /* at the last division */
	double user_ns, sys_ns, divided_ns;
	struct helper_cpu *next;
};

static struct {
	pthread_mutex_t lock;
	VEC(struct own) own; /* by tid */
	VEC(struct ring_helper) ring;
	struct helper_cpu *first;
	uint64_t ended_ns; /* of fiord's threads that have ended */
	uint64_t given_ns; /* of helper threads, which the workers have got */
	uint64_t looked_ns;
	bool broken; /* memory was short, so a thread is not known */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What has been used since the last look. */
struct news {
	uint64_t unnamed_ns;            /* by helper threads of io_uring whose worker is not known */
	uint64_t user_ticks, sys_ticks; /* of the other helper threads, since they started */
};

static pid_t own_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* ---- fiord's threads ---- */

static int by_tid(const void *a, const void *b)
{
	const struct own *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct own *find_own(pid_t tid)
{
	const struct own key = { .tid = tid };

	return all.own.n ? bsearch(&key, all.own.v, all.own.n, sizeof(key), by_tid) : NULL;
}

void helper_cpu_thread_begins(pid_t worker)
{
	const struct own new = { own_tid(), worker };

	pthread_mutex_lock(&all.lock);
	if (!VEC_PUSH(&all.own, new))
		all.broken = true;
	for (size_t i = all.own.n; !all.broken && i-- > 1 && all.own.v[i - 1].tid > new.tid;) {
		all.own.v[i] = all.own.v[i - 1];
		all.own.v[i - 1] = new;
	}
	pthread_mutex_unlock(&all.lock);
}

void helper_cpu_thread_ends(void)
{
	pid_t tid = own_tid();
	struct own *o;

	pthread_mutex_lock(&all.lock);
	o = find_own(tid);
	if (o) {
		all.ended_ns += thread_cpu_ns(tid);
		all.own.n--;
		memmove(o, o + 1, (size_t)(all.own.v + all.own.n - o) * sizeof(*o));
	}
	pthread_mutex_unlock(&all.lock);
}

static uint64_t own_ns(void)
{
	uint64_t ns = all.ended_ns;

	for (size_t i = 0; i < all.own.n; i++)
		ns += thread_cpu_ns(all.own.v[i].tid);
	return ns;
}

/* ---- helper threads ---- */

static struct ring_helper *find_ring(pid_t tid)
{
	for (size_t i = 0; i < all.ring.n; i++)
		if (all.ring.v[i].tid == tid)
			return &all.ring.v[i];
	return NULL;
}

/* Returns the worker of a thread that helper threads of io_uring name. It may be one of them itself. */
static pid_t worker_of(pid_t tid)
{
	const struct own *o = find_own(tid);
	const struct ring_helper *r = find_ring(tid);

	return o ? o->worker : r ? r->worker : 0;
}

static bool is_ring_helper(pid_t tid, pid_t *named)
{
	char name[32];
	int number;

	if (sysfs_line(name, sizeof(name), "/proc/self/task/%d/comm", tid) ||
	    (sscanf(name, "iou-sqp-%d", &number) != 1 && sscanf(name, "iou-wrk-%d", &number) != 1))
		return false;
	*named = number;
	return true;
}

static struct helper_cpu *account_of(pid_t worker)
{
	struct helper_cpu *h = all.first;

	while (h && h->tid != worker)
		h = h->next;
	return worker ? h : NULL;
}

static void take_ring_time(struct ring_helper *r, struct news *news)
{
	uint64_t ns = thread_cpu_ns(r->tid), used = ns > r->ns ? ns - r->ns : 0;
	struct helper_cpu *h = account_of(r->worker);

	r->alive = true;
	r->ns += used;
	all.given_ns += used;
	if (h)
		h->sys_ns += (double)used;
	else if (!r->worker)
		news->unnamed_ns += used;
}

static void look_at_thread(pid_t tid, struct news *news)
{
	struct ring_helper *r = find_ring(tid);
	uint64_t user, sys;
	pid_t named;

	if (!r && find_own(tid))
		return;
	if (!r && is_ring_helper(tid, &named) &&
	    VEC_PUSH(&all.ring, (struct ring_helper){ .tid = tid, .worker = worker_of(named) }))
		r = &all.ring.v[all.ring.n - 1];
	if (r) {
		take_ring_time(r, news);
		return;
	}
	thread_cpu_ns(tid); /* so that the time of the process has what the thread has used until now */
	thread_cpu_ticks(tid, &user, &sys);
	news->user_ticks += user;
	news->sys_ticks += sys;
}

static void forget_ended(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < all.ring.n; i++)
		if (all.ring.v[i].alive)
			all.ring.v[kept++] = all.ring.v[i];
	all.ring.n = kept;
}

static void look_at_threads(struct news *news)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *e;

	for (size_t i = 0; i < all.ring.n; i++)
		all.ring.v[i].alive = false;
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			look_at_thread((pid_t)strtol(e->d_name, NULL, 10), news);
	if (dir)
		closedir(dir);
	forget_ended();
}

/* ---- division ---- */

static uint64_t new_ios(const struct helper_cpu *h)
{
	uint64_t ios = h->cfg.ios(h->cfg.arg);

	return ios > h->ios ? ios - h->ios : 0;
}

/* Divides a time among the workers with this kind of helper threads. */
static void divide(double ns, double user_part, bool common)
{
	const struct helper_cpu *one = NULL;
	double ios = 0, workers = 0;
	bool several = false;

	for (struct helper_cpu *h = all.first; h; h = h->next) {
		if (h->cfg.common != common)
			continue;
		several |= one && one->cfg.group != h->cfg.group;
		one = h;
		ios += (double)new_ios(h);
		workers++;
	}
	for (struct helper_cpu *h = all.first; h; h = h->next) {
		double part;

		if (h->cfg.common != common)
			continue;
		part = ns * (ios > 0 ? (double)new_ios(h) / ios : 1 / workers);
		h->user_ns += part * user_part;
		h->sys_ns += part * (1 - user_part);
		h->divided_ns += several ? part : 0;
	}
}

static bool any_common(void)
{
	for (const struct helper_cpu *h = all.first; h; h = h->next)
		if (h->cfg.common)
			return true;
	return false;
}

/* Gives the workers what has been used since the last look. The time of the process is read last, so that it
   has all that its threads had when they were looked at. */
static void look(void)
{
	struct news news = { 0 };
	uint64_t own, process, now = clock_ns();
	double ticks, user_part;

	if (all.broken || now - all.looked_ns < AGAIN_NS)
		return;
	all.looked_ns = now;
	look_at_threads(&news);
	own = own_ns();
	process = thread_cpu_process_ns();
	ticks = (double)(news.user_ticks + news.sys_ticks);
	user_part = ticks > 0 ? (double)news.user_ticks / ticks : 0;
	divide((double)news.unnamed_ns, 0, false);
	if (process > own + all.given_ns) {
		divide((double)(process - own - all.given_ns), user_part, any_common());
		all.given_ns = process - own;
	}
	for (struct helper_cpu *h = all.first; h; h = h->next)
		h->ios += new_ios(h);
}

/* ---- workers ---- */

struct helper_cpu *helper_cpu_join(const struct helper_cpu_cfg *cfg)
{
	struct helper_cpu *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->cfg = *cfg;
	h->tid = own_tid();
	h->ios = cfg->ios(cfg->arg);
	pthread_mutex_lock(&all.lock);
	h->next = all.first;
	all.first = h;
	pthread_mutex_unlock(&all.lock);
	return h;
}

void helper_cpu_leave(struct helper_cpu *h)
{
	struct helper_cpu **at = &all.first;

	if (!h)
		return;
	pthread_mutex_lock(&all.lock);
	look();
	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	pthread_mutex_unlock(&all.lock);
	free(h);
}

void helper_cpu_now(struct helper_cpu *h, struct helper_cpu_use *use)
{
	pthread_mutex_lock(&all.lock);
	look();
	use->user_us = (uint64_t)(h->user_ns / 1e3);
	use->sys_us = (uint64_t)(h->sys_ns / 1e3);
	use->divided_us = (uint64_t)(h->divided_ns / 1e3);
	pthread_mutex_unlock(&all.lock);
}
