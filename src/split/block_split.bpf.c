/* block_split.bpf.c: BPF programs on the tracepoints of the block layer. The kernel's verifier checks each of
   their accesses. split.h says what they measure, split_maps.h what they count.

   A bio gets a request (block_getrq) in the thread that queues it, so the worker is known there. From then on
   the address of the bio identifies the request, until the driver completes it. Other bios may join the
   request, behind or in front of this one. Requests of others are counted when they are made, and not
   followed. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include "split_maps.h"

/* The fields that the programs read; the loader finds them in the structs of the running kernel. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct gendisk {
	int major, first_minor;
};
struct block_device {
	struct gendisk *bd_disk;
};
struct bvec_iter {
	unsigned int bi_size;
};
struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	struct bvec_iter bi_iter;
};
struct request {
	unsigned int __data_len;
	struct bio *bio;
};
struct task_struct {
	unsigned int flags;
	int pid;
	unsigned long long start_time;
	struct task_struct *group_leader;
	char comm[SPLIT_COMM];
};
#pragma clang attribute pop

/* The inode of the pid namespace of the whole machine. */
#define INIT_PIDNS 0xeffffffc

/* Workers that the map "recent" holds. */
#define RECENT 1024

/* No request has more bios, which are in a list. */
#define BIOS_MAX 256

#define PF_WQ_WORKER 0x00000020
#define PF_KTHREAD   0x00200000

/* The low byte of bi_opf. Writes have odd numbers. */
#define OP_DISCARD      3
#define OP_SECURE_ERASE 5
#define OP_WRITE_ZEROES 9

const volatile struct split_config split_config;
struct split_state split_state;

/* The threads that are workers or work for them. A thread gets its value when it first queues a bio. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct split_task);
} tasks SEC(".maps");
/* split.c sets the sizes of these. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32); /* thread id */
	__type(value, __u32);
} workers SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct split_thread);
} threads SEC(".maps");
/* 1 + the index in "threads" of a worker, by the last bits of its thread's id in the kernel: an array is
   faster than the storage of tasks. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RECENT);
	__type(key, __u32);
	__type(value, __u32);
} recent SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct split_set);
} requests SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct split_stats);
} stats SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct split_key);
	__type(value, __u32);
} indices SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct split_other_key);
	__type(value, struct split_other);
} others SEC(".maps");

/* Looks the thread that runs now up by its id, or by that of its process. */
static __always_inline struct split_task *find_task(struct task_struct *task)
{
	__u64 both = bpf_get_current_pid_tgid();
	struct bpf_pidns_info ids = { .pid = (__u32)both, .tgid = (__u32)(both >> 32) };
	struct split_task mine = { 0 };
	__u32 *thread;

	if (split_config.ns_ino != INIT_PIDNS &&
	    bpf_get_ns_current_pid_tgid(split_config.ns_dev, split_config.ns_ino, &ids, sizeof(ids)))
		return NULL;
	thread = bpf_map_lookup_elem(&workers, &ids.pid);
	if (!thread) {
		mine.helper = 1;
		thread = bpf_map_lookup_elem(&workers, &ids.tgid);
	}
	if (!thread)
		return NULL;
	mine.thread = *thread;
	return bpf_task_storage_get(&tasks, task, &mine, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Returns the worker whose thread, or whose process in another thread (of io_uring, or of the engine), runs
   now, and stores which. NULL: no worker runs. */
static __always_inline struct split_thread *current_worker(struct split_task *mine)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 slot = (__u32)task->pid % RECENT, *last = bpf_map_lookup_elem(&recent, &slot);
	struct split_task *known;
	struct split_thread *w;

	if (last && *last) {
		*mine = (struct split_task){ .thread = *last - 1 };
		w = bpf_map_lookup_elem(&threads, &mine->thread);
		if (w && w->task == (__u64)task && w->started == task->start_time)
			return w;
	}
	known = bpf_task_storage_get(&tasks, task, NULL, 0);
	if (!known)
		known = find_task(task);
	if (!known)
		return NULL;
	*mine = *known;
	w = bpf_map_lookup_elem(&threads, &mine->thread);
	if (w && last && !mine->helper) {
		w->task = (__u64)task;
		w->started = task->start_time;
		*last = mine->thread + 1;
	}
	return w;
}

static __always_inline __u32 disk_of(struct bio *bio)
{
	struct gendisk *disk = bio->bi_bdev->bd_disk;

	return (__u32)disk->major << 20 | (__u32)disk->first_minor;
}

/* Returns the direction; SPLIT_DIRS if the bio moves no data. */
static __always_inline __u32 dir_of(struct bio *bio)
{
	__u32 op = bio->bi_opf & 0xff;

	if (!bio->bi_iter.bi_size)
		return SPLIT_DIRS;
	if (op == OP_DISCARD || op == OP_SECURE_ERASE || op == OP_WRITE_ZEROES)
		return SPLIT_TRIM;
	return op & 1 ? SPLIT_WRITE : SPLIT_READ;
}

static __always_inline bool in_window(__u64 ns)
{
	return ns >= split_state.open_ns && ns < split_state.close_ns;
}

/* Counts n requests and the bytes of a bio for the thread that runs now, which is no worker. */
static __always_inline int count_other(struct bio *bio, __u64 n)
{
	struct task_struct *task = bpf_get_current_task_btf(), *leader = task->group_leader;
	struct split_other_key key = { .dev = disk_of(bio) };
	__u64 weight = split_state.others_sample ? SPLIT_WEIGHT : 1;
	struct split_other *o, first = { n * weight, bio->bi_iter.bi_size * weight };

	if (!split_state.measuring || (weight > 1 && !in_window(bpf_ktime_get_ns())))
		return 0;
	if (task->flags & PF_WQ_WORKER)
		__builtin_memcpy(key.comm, "kworker", sizeof("kworker"));
	else
		bpf_probe_read_kernel_str(key.comm, sizeof(key.comm), leader->comm);
	key.kernel = !!(task->flags & PF_KTHREAD);
	o = bpf_map_lookup_elem(&others, &key);
	if (!o) {
		if (!bpf_map_update_elem(&others, &key, &first, BPF_NOEXIST))
			return 0;
		o = bpf_map_lookup_elem(&others, &key);
	}
	if (o) {
		__sync_fetch_and_add(&o->requests, first.requests);
		__sync_fetch_and_add(&o->bytes, first.bytes);
	}
	return 0;
}

/* The verifier of Linux 6.1 sees the limit of an index only if the compiler does not know it. */
static __always_inline __u64 *last_of(struct split_thread *w, __u64 dir)
{
	__asm__ volatile("" : "+r"(dir));
	return dir < SPLIT_DIRS ? &w->last[dir] : NULL;
}

/* Stores where the statistics of this key are. Returns false if there is no room. */
static __always_inline bool find_stats(struct split_thread *w, struct split_key *key, __u32 *at)
{
	__u64 *slot = last_of(w, key->dir), last;
	__u32 *known, mine;

	if (!slot)
		return false;
	last = *slot;
	*at = (__u32)last - 1;
	if (last && last >> 32 == key->dev)
		return true;
	known = bpf_map_lookup_elem(&indices, key);
	if (!known) {
		mine = __sync_fetch_and_add(&split_state.nstats, 1);
		bpf_map_update_elem(&indices, key, &mine, BPF_NOEXIST);
		known = bpf_map_lookup_elem(&indices, key);
	}
	if (!known)
		return false;
	*at = *known;
	if (!bpf_map_lookup_elem(&stats, at))
		return false;
	*slot = (__u64)key->dev << 32 | (*at + 1);
	return true;
}

static __always_inline bool is_measured(const struct split_thread *w)
{
	__u8 phase = 0;

	bpf_probe_read_user(&phase, sizeof(phase), (void *)w->phase);
	return phase == split_config.phase;
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(bio_queue, struct bio *bio)
{
	struct split_task task;
	struct split_thread *w = current_worker(&task);
	__u64 now;

	if (!w)
		return 0;
	now = bpf_ktime_get_ns();
	if (!task.helper)
		w->queued_ns = now;
	if (!w->fast || in_window(now))
		__sync_fetch_and_add(&w->bios, 1);
	return 0;
}

static __always_inline __u64 time_between(__u64 from, __u64 to)
{
	return to > from ? to - from : 0;
}

static __always_inline void add_time(struct split_times *t, __u32 weight, __u64 ns)
{
	__u32 bucket = split_bucket(ns);

	__sync_fetch_and_add(&t->sum, ns * weight);
	if (bucket < SPLIT_BUCKETS)
		__sync_fetch_and_add(&t->buckets[bucket], weight);
	for (int i = 0; i < 8; i++) {
		__u64 max = t->max;

		if (ns <= max || __sync_val_compare_and_swap(&t->max, max, ns) == max)
			break;
	}
}

/* Adds a request whose parts are all known, but for `completion` at depths above 1, which is 0 there. */
static __always_inline void add_total(struct split_stats *s, __u32 weight, const __u64 *parts,
				      __u64 completion)
{
	__u64 all = parts[SPLIT_SUBMISSION] + parts[SPLIT_SCHEDULER] + parts[SPLIT_DEVICE] + completion;
	__u32 bucket = split_bucket(all) / SPLIT_TOTAL_STEP;
	struct split_total *t;

	if (bucket >= SPLIT_TOTALS)
		return;
	t = &s->totals[bucket];
	__sync_fetch_and_add(&t->n, weight);
	__sync_fetch_and_add(&t->sum[SPLIT_SUBMISSION], parts[SPLIT_SUBMISSION] * weight);
	__sync_fetch_and_add(&t->sum[SPLIT_SCHEDULER], parts[SPLIT_SCHEDULER] * weight);
	__sync_fetch_and_add(&t->sum[SPLIT_DEVICE], parts[SPLIT_DEVICE] * weight);
	__sync_fetch_and_add(&t->sum[SPLIT_COMPLETION], completion * weight);
}

/* ---- the completion until the worker sees it, at depth 1 ---- */

static __always_inline __u64 read_user(__u64 address)
{
	__u64 value = 0;

	bpf_probe_read_user(&value, sizeof(value), (void *)address);
	return value;
}

/* Adds the time until the worker saw the completion of its last I/O, if that one became one request. The
   worker has stored how long the I/O took. */
static __always_inline void count_completion(struct split_thread *w, __u64 start_ns)
{
	struct split_last_io *io = &w->io;
	struct split_stats *s = bpf_map_lookup_elem(&stats, &io->stats);
	__u64 entry, seen_ns;

	if (!s || io->requests != 1 || !io->done_ns || !io->known)
		return;
	entry = w->rings + io->dir * split_config.ring_bytes +
		io->number % split_config.ring_entries * split_config.entry_bytes;
	seen_ns = io->start_ns + read_user(entry);
	if (seen_ns < io->done_ns || seen_ns > start_ns)
		return;
	add_time(&s->parts[SPLIT_COMPLETION], io->weight, seen_ns - io->done_ns);
	add_total(s, io->weight, io->parts, seen_ns - io->done_ns);
}

static __always_inline __u64 count_of(const struct split_thread *w, __u32 dir)
{
	return read_user(w->counts + dir * split_config.count_bytes);
}

/* Ends the last I/O, because the next one began at this time. An I/O without requests may have come between:
   then the worker's count, as soon as it is up to date, is not that of the requests. An I/O that failed has
   no number. */
static __always_inline void end_io(struct split_thread *w, __u64 start_ns)
{
	__u64 counted = count_of(w, w->io.dir);

	if (w->io.start_ns && (counted == w->io.counted || counted == w->io.number + 1))
		count_completion(w, start_ns);
	w->io.start_ns = 0;
}

/* The first request of an I/O ends the one before. The first I/O in a window follows others that were not
   seen, so its number is not known. */
static __always_inline void begin_io(struct split_thread *w, const struct split_request *req, __u32 dir)
{
	struct split_last_io *io = &w->io,
			     next = { .start_ns = req->start_ns, .weight = req->weight, .requests = 1 };
	bool same_dir = io->dir == dir, follows;
	__u64 last;

	if (io->start_ns == req->start_ns) {
		io->requests++;
		return;
	}
	next.window = w->fast ? split_state.window : 0;
	follows = io->window == next.window;
	last = count_of(w, io->dir);
	if (follows)
		end_io(w, req->start_ns);
	next.counted = same_dir ? last : count_of(w, dir);
	next.number = same_dir && last == io->counted && io->done_ns ? io->number + 1 : next.counted;
	next.known = follows && (io->known || !same_dir || last != io->counted);
	next.stats = req->stats;
	next.dir = dir;
	*io = next;
}

/* After a window: its last I/O at depth 1 ends when the worker begins the next one. */
static __always_inline int end_window(struct split_thread *w, const struct split_request *req)
{
	if (!w->rings || req->task.helper)
		return 0;
	if (w->io.start_ns == req->start_ns)
		w->io.requests++;
	else if (w->io.start_ns)
		end_io(w, req->start_ns);
	return 0;
}

/* The verifier of Linux 6.1 sees the limit of an index only if the compiler does not know it. */
static __always_inline struct split_ratio *ratio_of(struct split_thread *w, __u64 dir)
{
	__asm__ volatile("" : "+r"(dir));
	return &w->ratio[dir & (SPLIT_RATIOS - 1)];
}

/* Counts I/Os and requests together, once for each call of submit: a call may queue many requests. */
static __always_inline void count_ratio(struct split_thread *w, const struct split_request *req, __u32 dir)
{
	struct split_ratio *r = ratio_of(w, dir);
	__u32 window = 2 * split_state.window + w->fast;
	__u64 completed, lats, lat_sum;

	if (r->start_ns == req->start_ns) {
		r->since++;
		return;
	}
	completed = count_of(w, dir);
	lats = read_user(w->lats + dir * split_config.lat_bytes);
	lat_sum = read_user(w->lats + dir * split_config.lat_bytes + split_config.sum_at);
	if (r->start_ns && r->window == window && completed >= r->completed) {
		r->ios += (completed - r->completed) * req->weight;
		r->requests += r->since * req->weight;
		r->lats += (lats - r->seen_lats) * req->weight;
		r->lat_sum += (lat_sum - r->seen_sum) * req->weight;
	}
	r->start_ns = req->start_ns;
	r->completed = completed;
	r->seen_lats = lats;
	r->seen_sum = lat_sum;
	r->since = 1;
	r->window = window;
}

/* ---- requests that have not completed ---- */

static __always_inline struct split_set *set_of(__u64 id)
{
	__u32 low = (__u32)id, set;

	/* The verifier allows to take 32 bits of a pointer, and neither more arithmetic with it nor to store
	   them: they must not be in the variable whose address is taken. */
	__asm__ volatile("" : "+w"(low));
	set = (low * 0x9e3779b1u >> 12) & (split_config.sets - 1);
	return bpf_map_lookup_elem(&requests, &set);
}

/* Returns the request with this bio. */
static __always_inline struct split_request *request_of(__u64 id)
{
	struct split_set *set = set_of(id);

	if (!set)
		return NULL;
#pragma clang loop unroll(full)
	for (int i = 0; i < SPLIT_WAYS; i++)
		if (set->way[i].bio == id)
			return &set->way[i];
	return NULL;
}

/* Returns a place for a new request. If there is none, the oldest request has to give up its own: a request
   whose completion was not seen stays until then. */
static __always_inline struct split_request *new_request(__u64 id)
{
	struct split_request *old = request_of(id);
	struct split_set *set = set_of(id);

	if (!set)
		return NULL;
#pragma clang loop unroll(full)
	for (int i = 0; i < SPLIT_WAYS && !old; i++)
		if (!set->way[i].bio && !__sync_val_compare_and_swap(&set->way[i].bio, 0, id))
			return &set->way[i];
	if (!old) {
		old = &set->way[0];
#pragma clang loop unroll(full)
		for (int i = 1; i < SPLIT_WAYS; i++)
			old = set->way[i].queued_ns < old->queued_ns ? &set->way[i] : old;
	}
	__sync_fetch_and_add(&split_state.unseen, 1);
	return old;
}

SEC("tp_btf/block_getrq")
int BPF_PROG(getrq, struct bio *bio)
{
	struct split_request req = { .bio = (__u64)bio }, *to;
	struct split_thread *w = current_worker(&req.task);
	struct split_key key = { .dir = dir_of(bio) };

	if (key.dir >= SPLIT_DIRS)
		return 0;
	if (!w)
		return count_other(bio, 1);
	if (!is_measured(w))
		return 0;
	if (!split_state.measuring)
		split_state.measuring = 1;
	if (!req.task.helper) {
		req.queued_ns = w->queued_ns;
		req.start_ns = read_user(w->stamp);
	}
	if (!req.queued_ns)
		req.queued_ns = bpf_ktime_get_ns();
	if (req.queued_ns < split_state.attached_ns)
		return 0;
	if (w->fast && !in_window(req.queued_ns))
		return end_window(w, &req);
	key.entry = w->entry;
	key.dev = disk_of(bio);
	if (!find_stats(w, &key, &req.stats)) {
		__sync_fetch_and_add(&split_state.unlisted, 1);
		return 0;
	}
	req.weight = w->fast ? SPLIT_WEIGHT : 1;
	if (split_config.sample && !req.task.helper)
		count_ratio(w, &req, key.dir);
	if (w->rings && !req.task.helper)
		begin_io(w, &req, key.dir);
	to = new_request(req.bio);
	if (to)
		*to = req;
	return 0;
}

/* A bio that joins a request adds its bytes. */
static __always_inline int count_merge(struct bio *bio)
{
	struct split_task task;

	return current_worker(&task) ? 0 : count_other(bio, 0);
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(backmerge, struct bio *bio)
{
	return count_merge(bio);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(frontmerge, struct bio *bio)
{
	if (split_state.measuring)
		split_state.front_merges = 1;
	return count_merge(bio);
}

/* Returns the request of a worker: by the first bio, if none was put in front of it. NULL: the request is of
   others. */
static __always_inline struct split_request *find_request(struct request *rq)
{
	struct split_request *req = NULL;
	struct bio *bio = rq->bio;

	for (int i = 0; i < BIOS_MAX && bio && !req; i++) {
		req = request_of((__u64)bio);
		bio = split_state.front_merges ? bio->bi_next : NULL;
	}
	return req;
}

/* This request joins another one, and its bios complete with that one. */
SEC("tp_btf/block_rq_merge")
int BPF_PROG(rq_merge, struct request *rq)
{
	struct split_request *req = find_request(rq);

	if (req)
		req->bio = 0;
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(rq_issue, struct request *rq)
{
	struct split_request *req = find_request(rq);

	if (req)
		req->issued_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void count_request(const struct split_request *req, __u64 now)
{
	struct split_stats *s = bpf_map_lookup_elem(&stats, &req->stats);
	struct split_thread *w = bpf_map_lookup_elem(&threads, &req->task.thread);
	const __u64 parts[] = { time_between(req->start_ns, req->queued_ns),
				time_between(req->queued_ns, req->issued_ns),
				time_between(req->issued_ns, now) };

	if (!s || !w)
		return;
	if (req->task.helper)
		__sync_fetch_and_add(&s->helper_requests, req->weight);
	__sync_fetch_and_add(&s->measured, 1);
	add_time(&s->parts[SPLIT_SCHEDULER], req->weight, parts[SPLIT_SCHEDULER]);
	add_time(&s->parts[SPLIT_DEVICE], req->weight, parts[SPLIT_DEVICE]);
	if (!req->start_ns)
		return;
	add_time(&s->parts[SPLIT_SUBMISSION], req->weight, parts[SPLIT_SUBMISSION]);
	if (!w->rings) {
		add_total(s, req->weight, parts, 0);
	} else if (w->io.start_ns == req->start_ns) {
		__builtin_memcpy(w->io.parts, parts, sizeof(parts));
		w->io.done_ns = now;
	}
}

/* Counts requests that complete in one piece and without an error. */
SEC("tp_btf/block_rq_complete")
int BPF_PROG(rq_complete, struct request *rq, int error, unsigned int bytes)
{
	struct split_request *req = find_request(rq);

	if (!req)
		return 0;
	if (!error && !req->issued_ns)
		__sync_fetch_and_add(&split_state.unseen, 1);
	else if (!error && bytes < rq->__data_len)
		__sync_fetch_and_add(&split_state.in_parts, 1);
	else if (!error)
		count_request(req, bpf_ktime_get_ns());
	req->bio = 0;
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
