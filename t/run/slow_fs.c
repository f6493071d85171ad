/* slow_fs.c: a file system with one file, whose reads take 200 to 300 ms. t/run/measured_window.sh compares
   fiord with its log, which has a line for each answered read: arrival and answer, in ms since 1970.

   slow_fs LOG MOUNTPOINT [PLACES MS [STALL STALL_MS]]

   With PLACES, t/run/sweep.sh: it serves so many reads at a time, each in MS; the others wait. With STALL,
   t/run/overload.sh: read number STALL, counted from 1, and all later ones take STALL_MS. */
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fuse_lowlevel.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FILE_INO   2
#define FILE_BYTES (64 << 20)
#define MS         1000000

struct request {
	fuse_req_t req;
	size_t size;
	long delay_ms;
	long long start_ms;
};

static FILE *answers;
static sem_t places;
static bool has_places;
static long place_ms, stall_at, stall_ms; /* stall_at is 0: never */

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / MS;
}

static bool attributes(fuse_ino_t ino, struct stat *st)
{
	*st = (struct stat){ .st_ino = ino, .st_mode = S_IFDIR | 0755, .st_nlink = 2 };
	if (ino == FILE_INO) {
		st->st_mode = S_IFREG | 0444;
		st->st_nlink = 1;
		st->st_size = FILE_BYTES;
		st->st_blocks = FILE_BYTES / 512;
	}
	return ino == FUSE_ROOT_ID || ino == FILE_INO;
}

static void get_attributes(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct stat st;

	(void)fi;
	if (attributes(ino, &st))
		fuse_reply_attr(req, &st, 1000);
	else
		fuse_reply_err(req, ENOENT);
}

static void lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param e = { .ino = FILE_INO, .attr_timeout = 1000, .entry_timeout = 1000 };

	if (parent != FUSE_ROOT_ID || strcmp(name, "f") != 0) {
		fuse_reply_err(req, ENOENT);
		return;
	}
	attributes(FILE_INO, &e.attr);
	fuse_reply_entry(req, &e);
}

static void *answer(void *arg)
{
	struct request *r = arg;
	struct timespec delay = { r->delay_ms / 1000, r->delay_ms % 1000 * MS };
	char *zeros = calloc(1, r->size);

	while (has_places && sem_wait(&places))
		;
	nanosleep(&delay, NULL);
	if (has_places)
		sem_post(&places);
	fprintf(answers, "%lld %lld\n", r->start_ms, now_ms());
	if (!zeros || fuse_reply_buf(r->req, zeros, r->size))
		abort();
	free(zeros);
	free(r);
	return NULL;
}

/* Reads that take different times do not come in rounds. */
static long delay_of(unsigned number)
{
	if (stall_at && number + 1 >= stall_at)
		return stall_ms;
	return has_places ? place_ms : 200 + number * 37 % 101;
}

static void slow_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset, struct fuse_file_info *fi)
{
	static unsigned count;
	struct request *r = calloc(1, sizeof(*r));
	pthread_t thread;

	(void)ino;
	(void)offset;
	(void)fi;
	if (!r)
		abort();
	*r = (struct request){ req, size, delay_of(count++), now_ms() };
	if (pthread_create(&thread, NULL, answer, r))
		abort();
	pthread_detach(thread);
}

static void begin(void *data, struct fuse_conn_info *conn)
{
	(void)data;
	conn->max_background = 64;
	conn->congestion_threshold = 64;
}

static const struct fuse_lowlevel_ops ops = {
	.init = begin,
	.lookup = lookup,
	.getattr = get_attributes,
	.read = slow_read,
};

int main(int argc, char **argv)
{
	char *args[] = { argv[0], NULL };
	struct fuse_args none = FUSE_ARGS_INIT(1, args);
	struct fuse_session *s;
	int rc;

	if (argc != 3 && argc != 5 && argc != 7)
		return 2;
	if (argc == 7) {
		stall_at = atol(argv[5]);
		stall_ms = atol(argv[6]);
	}
	if (argc > 3) {
		has_places = true;
		place_ms = atol(argv[4]);
		sem_init(&places, 0, (unsigned)atoi(argv[3]));
	}
	answers = fopen(argv[1], "w");
	s = answers ? fuse_session_new(&none, &ops, sizeof(ops), NULL) : NULL;
	if (!s || fuse_session_mount(s, argv[2]))
		return 1;
	setvbuf(answers, NULL, _IOLBF, 0);
	rc = fuse_session_loop(s);
	fuse_session_unmount(s);
	fuse_session_destroy(s);
	fuse_opt_free_args(&none);
	fclose(answers);
	return rc != 0;
}
