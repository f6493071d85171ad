/* nth: in the Nth run of fiord the Nth call of a function fails (preload.c does that); it runs again and
   again until a run has fewer calls. After each failure the run must end by itself, with a documented exit
   code, a line with the reason, and a complete document or the older one, and leave nothing behind.

   nth PRELOAD FIORD SCENARIO [all]    all: every N; otherwise the first ones and then a sample
   nth PRELOAD FIORD SCENARIO refused  the kernel refuses each system call that the run uses (strace names
   them), as the seccomp filter of a container does: with EPERM, and with ENOSYS */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S 30
#define PREVIOUS   "the result of an earlier run\n"
#define BYTES      65536
#define CALLS_MAX  512

struct point {
	const char *call;
	int err;
};

static const struct point points[] = {
	{ "malloc", ENOMEM },
	{ "calloc", ENOMEM },
	{ "realloc", ENOMEM },
	{ "aligned_alloc", ENOMEM },
	{ "posix_memalign", ENOMEM },
	{ "mmap", ENOMEM },
	{ "open", EMFILE },
	{ "open", EACCES },
	{ "creat", ENOSPC },
	{ "openat", EMFILE },
	{ "fopen", EMFILE },
	{ "mkostemp", EACCES },
	{ "close", EIO },
	{ "read", EIO },
	{ "write", ENOSPC },
	{ "pread", EIO },
	{ "pread", EINTR },
	{ "pwrite", ENOSPC },
	{ "pwrite", EAGAIN },
	{ "fsync", EIO },
	{ "sync_file_range", EIO },
	{ "fallocate", ENOSPC },
	{ "fallocate", EIO },
	{ "ftruncate", EFBIG },
	{ "fstat", EIO },
	{ "stat", EIO },
	{ "lstat", EIO },
	{ "access", EIO },
	{ "fchmod", EPERM },
	{ "fcntl", EINVAL },
	{ "ioctl", EIO },
	{ "rename", EIO },
	{ "unlink", EIO },
	{ "realpath", ENOMEM },
	{ "posix_fadvise", EINVAL },
	{ "madvise", EINVAL },
	{ "msync", EIO },
	{ "eventfd", EMFILE },
	{ "signalfd", EMFILE },
	{ "timerfd_create", EMFILE },
	{ "timerfd_settime", EINVAL },
	{ "pipe2", EMFILE },
	{ "poll", EINTR },
	{ "fork", EAGAIN },
	{ "pthread_create", EAGAIN },
	{ "io_setup", EAGAIN },
	{ "io_submit", EAGAIN },
	{ "io_submit", EIO },
	{ "io_getevents", EINTR },
	{ "io_uring_setup", ENOMEM },
	{ "io_uring_queue_mmap", ENOMEM },
	{ "io_uring_register_buffers", ENOMEM },
	{ "io_uring_register_files", ENOMEM },
	{ "io_uring_register_ring_fd", EINVAL },
	{ "io_uring_enter2", EAGAIN },
	{ "io_uring_enter2", EIO },
};

/* Two jobs, one after the other: the first writes `a`, the second lays out `b` and reads it. */
#define JOBS                                                                                  \
	"--name=w", "--filename=a", "--rw=write", "--end_fsync=1", "--name=r", "--stonewall", \
		"--filename=b", "--rw=read"
#define JOB_FILE             \
	"[global]\ninclude " \
	"inc.ini\n[w]\nfilename=a\nrw=write\nend_fsync=1\n[r]\nstonewall\nfilename=b\nrw=read\n"
#define INCLUDED "bssplit=4k/50:8k/50\npercentile_list=50:99\ndescription=a=${HOME}\nsize=(32k*2)\n"
static const struct {
	const char *name, *args[16];
} scenarios[] = {
	{ "psync", { "--ioengine=psync", JOBS } },
	{ "threads", { "--ioengine=psync", "--thread=1", JOBS } },
	{ "libaio", { "--ioengine=libaio", "--iodepth=4", JOBS } },
	{ "io_uring", { "--ioengine=io_uring", "--iodepth=4", JOBS } },
	{ "mmap", { "--ioengine=mmap", JOBS } },
	{ "jobfile", { "job.ini" } },
	{ "command", { "--ioengine=psync", "--exec_prerun=true", JOBS } },
	{ "logs",
	  { "--ioengine=psync", "--write_lat_log=l", "--write_hist_log=l", "--log_hist_msec=1", JOBS } },
	{ "status", { "--ioengine=psync", "--status-interval=2ms", "--rate_iops=1000", JOBS } },
};

static const char *preload, *fiord;
static _Atomic uint64_t *count;
static unsigned runs, failures;

struct ended {
	int status;
	bool hung;
	char err[8192];
};

/* ---- one run ---- */

static unsigned put_args(const char **argv, const char *const *args)
{
	unsigned n = 0;

	argv[n++] = fiord;
	argv[n++] = "--size=64k";
	argv[n++] = "--eta=never";
	argv[n++] = "--output=out.json";
	argv[n++] = "--output-format=json";
	for (; *args; args++)
		argv[n++] = *args;
	return n;
}

/* variable, value: what preload.c does. */
static void start(const char *const *args, const char *variable, const char *value, int err_fd)
{
	const char *argv[24] = { 0 };

	put_args(argv, args);
	setenv("LD_PRELOAD", preload, 1);
	setenv(variable, value, 1);
	setenv("FAULT_COUNT", "count", 1);
	dup2(open("/dev/null", O_RDWR), 0);
	dup2(0, 1);
	dup2(err_fd, 2);
	execv(fiord, (char *const *)argv);
	_exit(99);
}

/* Reads stderr until the run closes it; false if that takes too long. */
static bool listen_to(int fd, char *text, size_t size)
{
	struct pollfd p = { fd, POLLIN, 0 };
	time_t end = time(NULL) + PATIENCE_S;
	size_t n = 0;

	text[0] = '\0';
	while (time(NULL) < end) {
		char buf[1024];
		ssize_t got;

		if (poll(&p, 1, 1000) <= 0)
			continue;
		got = read(fd, buf, sizeof(buf));
		if (got <= 0)
			return true;
		if ((size_t)got > size - 1 - n)
			got = (ssize_t)(size - 1 - n);
		memcpy(text + n, buf, (size_t)got);
		n += (size_t)got;
		text[n] = '\0';
	}
	return false;
}

static struct ended run(const char *const *args, const char *variable, const char *value)
{
	struct ended e = { .status = 0 };
	int fds[2];
	pid_t pid;

	atomic_store(count, 0);
	if (pipe(fds))
		abort();
	pid = fork();
	if (pid == 0)
		start(args, variable, value, fds[1]);
	close(fds[1]);
	e.hung = !listen_to(fds[0], e.err, sizeof(e.err));
	close(fds[0]);
	if (e.hung)
		kill(pid, SIGKILL);
	waitpid(pid, &e.status, 0);
	runs++;
	return e;
}

/* ---- leftovers ---- */

/* Orphaned processes become children of this one. */
static bool processes_left(void)
{
	const struct timespec nap = { .tv_nsec = 5000000 };

	for (unsigned i = 0; i < 400; i++) {
		int status;

		if (waitpid(-1, &status, WNOHANG) < 0 && errno == ECHILD)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

static const char *file_left(void)
{
	static char name[300];
	DIR *d = opendir(".");
	const struct dirent *e;

	name[0] = '\0';
	while ((e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strcmp(e->d_name, "a") &&
		    strcmp(e->d_name, "b") && strcmp(e->d_name, "out.json") && strcmp(e->d_name, "count") &&
		    !strstr(e->d_name, ".ini") && !strstr(e->d_name, ".log") &&
		    !strstr(e->d_name, ".prerun.txt"))
			snprintf(name, sizeof(name), "%s", e->d_name);
	}
	closedir(d);
	return name[0] ? name : NULL;
}

/* ---- the document ---- */

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &n, 0, f) < 0 && !text)
		text = strdup("");
	fclose(f);
	return text;
}

static double number(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = cJSON_GetObjectItem(cJSON_GetObjectItem(o, a), b);

	return cJSON_IsNumber(v) ? v->valuedouble : -1;
}

/* With logs of single I/Os: true if the logs of both jobs are complete. */
static bool logs_whole(void)
{
	bool whole = true;

	for (unsigned i = 1; i <= 2; i++) {
		char name[32], *text;
		unsigned lines = 0;

		snprintf(name, sizeof(name), "l_clat.%u.log", i);
		text = slurp(name);
		for (const char *s = text; s && (s = strchr(s, '\n')); s++)
			lines++;
		whole = whole && (!text || lines == BYTES / 4096);
		free(text);
	}
	return whole;
}

/* Returns NULL, or the error in the document. */
static const char *document(const cJSON *doc, int code)
{
	const cJSON *jobs = cJSON_GetObjectItem(doc, "jobs"), *own = cJSON_GetObjectItem(doc, "fiord");
	const cJSON *w = cJSON_GetArrayItem(jobs, 0), *r = cJSON_GetArrayItem(jobs, 1);

	if (!own || !jobs)
		return "the document lacks parts";
	if ((int)number(own, "exit", "code") != code)
		return "the document has another exit code";
	if (code == 1 && cJSON_GetArraySize(jobs) != 2)
		return "the document lacks a job";
	if (code)
		return NULL;
	if (number(w, "write", "io_bytes") != BYTES || number(r, "read", "io_bytes") != BYTES)
		return "exit code 0, but not all I/O was done";
	if (!logs_whole())
		return "exit code 0, but a log is not whole";
	return NULL;
}

static const char *output(int code)
{
	char *text = slurp("out.json");
	const char *wrong = NULL;
	cJSON *doc;

	if (!text)
		return "the previous result is gone";
	if (!strcmp(text, PREVIOUS)) {
		free(text);
		return code ? NULL : "exit code 0, but no result";
	}
	doc = cJSON_Parse(text);
	wrong = doc ? document(doc, code) : "the document is not whole";
	cJSON_Delete(doc);
	free(text);
	return wrong;
}

/* ---- checks ---- */

static bool lines_are_ours(const char *err)
{
	while (*err) {
		const char *end = strchr(err, '\n');

		if (strncmp(err, "fiord: ", 7) || !end)
			return false;
		err = end + 1;
	}
	return true;
}

static const char *judge(const struct ended *e)
{
	static const char *const crashes[] = { "SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "ssertion" };
	const char *wrong;
	int code;

	if (e->hung)
		return "it hangs";
	if (WIFSIGNALED(e->status))
		return "it was killed by a signal";
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++) {
		if (strstr(e->err, crashes[i]))
			return "a worker crashed";
	}
	code = WEXITSTATUS(e->status);
	if (code != 0 && code != 1 && code != 2 && code != 3 && code != 6)
		return "that exit code does not exist";
	if (code && !e->err[0])
		return "it does not say why";
	if (!lines_are_ours(e->err))
		return "something else is on stderr";
	/* Standard output is closed last, when the document of the file is complete. */
	wrong = output(code == 6 && strstr(e->err, "standard output: ") ? 0 : code);
	if (wrong)
		return wrong;
	if (processes_left())
		return "processes are left";
	return file_left() ? "a file is left" : NULL;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void fresh(void)
{
	put("out.json", PREVIOUS);
	unlink("a");
	unlink("b");
}

static void tidy(void)
{
	DIR *d = opendir(".");
	const struct dirent *e;

	while ((e = readdir(d))) {
		if (!strncmp(e->d_name, "out.json.", 9))
			unlink(e->d_name);
	}
	closedir(d);
}

/* ---- loops ---- */

/* After the first ones a sample, unless the caller wants all. THOROUGH=1 makes the sample larger. */
static unsigned after(unsigned n, bool all)
{
	const char *thorough = getenv("THOROUGH");
	bool large = thorough && atoi(thorough);

	return all || n < (large ? 24 : 12) ? n + 1 : n + 1 + n / (large ? 6 : 3);
}

static void failed(const char *scenario, const char *fault, const char *wrong, const struct ended *e)
{
	failures++;
	printf("not ok - %s, %s: %s (status %#x)\n%s", scenario, fault, wrong, e->status, e->err);
	tidy();
}

static void loop(const char *scenario, const char *const *args, const struct point *p, bool all)
{
	unsigned n, reached = 0, ended[7] = { 0 };

	for (n = 1;; n = after(n, all)) {
		char fault[100];
		struct ended e;
		const char *wrong;

		snprintf(fault, sizeof(fault), "%s:%u:%d", p->call, n, p->err);
		fresh();
		e = run(args, "FAULT", fault);
		if (atomic_load(count) < n && !e.hung && WIFEXITED(e.status) && !WEXITSTATUS(e.status))
			break;
		reached++;
		wrong = judge(&e);
		if (!wrong)
			ended[WEXITSTATUS(e.status)]++;
		if (wrong)
			failed(scenario, fault, wrong, &e);
		if (atomic_load(count) < n)
			break; /* the run had fewer calls, or its check failed */
	}
	if (!reached)
		return;
	printf("ok - %s: %s fails with %s, %u of the first %u; exit codes", scenario, p->call,
	       strerrorname_np(p->err), reached, n - 1);
	for (unsigned i = 0; i < sizeof(ended) / sizeof(*ended); i++) {
		if (ended[i])
			printf(" %u: %u", i, ended[i]);
	}
	printf("\n");
	fflush(stdout);
}

/* ---- refused system calls ---- */

/* Lets strace write the system calls of a run to the file "trace". */
static bool trace(const char *const *args)
{
	const char *argv[32] = { "strace", "-f", "-n", "-qq", "-o", "trace" };
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		put_args(argv + 6, args);
		execvp(*argv, (char *const *)argv);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* Finds the names of the traced system calls, by their numbers. */
static bool read_trace(char name[CALLS_MAX][32])
{
	FILE *f = fopen("trace", "r");
	char *line = NULL;
	size_t size = 0;
	bool any = false;

	while (f && getline(&line, &size, f) > 0) {
		unsigned number;
		char text[32];

		if (sscanf(line, "%*u [%u] %31[a-z0-9_](", &number, text) == 2 && number < CALLS_MAX) {
			strcpy(name[number], text);
			any = true;
		}
	}
	free(line);
	if (f)
		fclose(f);
	unlink("trace");
	return any;
}

/* The C library itself ends a program with threads if these calls are refused. */
static bool ended_by_libc(const char *err)
{
	return strstr(err, "The futex facility returned") || strstr(err, "Fatal glibc error: rseq");
}

static void refuse(const char *scenario, const char *const *args, unsigned number, const char *name)
{
	static const int errors[] = { EPERM, ENOSYS };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		char value[32], fault[80];
		struct ended e;
		const char *wrong;

		snprintf(value, sizeof(value), "%u:%d", number, errors[i]);
		snprintf(fault, sizeof(fault), "%.31s is refused with %s", name, strerrorname_np(errors[i]));
		fresh();
		e = run(args, "REFUSE", value);
		wrong = judge(&e);
		if (wrong && ended_by_libc(e.err))
			printf("ok - %s, %s # skipped: the C library ends the worker\n", scenario, fault);
		else if (wrong)
			failed(scenario, fault, wrong, &e);
		else
			printf("ok - %s, %s: exit code %d\n", scenario, fault, WEXITSTATUS(e.status));
	}
}

/* Returns false if strace does not tell the calls. */
static bool refuse_each(const char *scenario, const char *const *args)
{
	char name[CALLS_MAX][32] = { 0 };

	fresh();
	if (!trace(args) || !read_trace(name))
		return false;
	for (unsigned i = 0; i < CALLS_MAX; i++) {
		if (name[i][0])
			refuse(scenario, args, i, name[i]);
	}
	return true;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *w)
{
	(void)st, (void)type, (void)w;
	return remove(path);
}

static void enter_dir(char *dir)
{
	int fd;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	put("job.ini", JOB_FILE);
	put("inc.ini", INCLUDED);
	fd = open("count", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, 4096))
		abort();
	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (count == MAP_FAILED)
		abort();
	close(fd);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/fiord-test-nth.XXXXXX";
	const char *const *args = NULL;
	bool all = argc > 4 && !strcmp(argv[4], "all"), refused = argc > 4 && !strcmp(argv[4], "refused");
	bool traced = true;
	const char *only = argc > 5 ? argv[5] : NULL;

	for (size_t i = 0; argc > 3 && i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		if (!strcmp(argv[3], scenarios[i].name))
			args = scenarios[i].args;
	}
	if (!args)
		return 2;
	preload = realpath(argv[1], NULL);
	fiord = realpath(argv[2], NULL);
	if (!preload || !fiord)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	enter_dir(dir);
	if (refused)
		traced = refuse_each(argv[3], args);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points) && !refused; i++) {
		if (!only || !strcmp(only, points[i].call))
			loop(argv[3], args, &points[i], all);
	}
	printf("%u runs, %u failures\n", runs, failures);
	if (chdir("/") || nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS))
		printf("%s could not be removed\n", dir);
	if (!traced)
		printf("strace cannot trace fiord here\n");
	return !traced ? 77 : failures != 0;
}
