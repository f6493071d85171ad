/* preload.c: makes the Nth call of a named function fail, in the program and in its child processes.

   FAULT=CALL:N:ERRNO[:TIMES] lets TIMES calls (default 1; 0: all) fail from the Nth on, with this errno (a
   number). ERRNO "short" halves the length of a read or write, and "hang" never returns.

   FAULT_PATH=TEXT selects the calls on files whose path contains this text.

   FAULT_COUNT=FILE counts the calls in the first 8 bytes of the file, which must exist.

   The count begins with the program's own code, not with the initialisers of its libraries.

   REFUSE=NUMBER:ERRNO lets the kernel refuse every call of the system call with this number, as the seccomp
   filter of a container does, but for what is written to stderr. */
#undef _FILE_OFFSET_BITS /* open is open here, and open64 its alias */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FAIL_SHORT 10001
#define FAIL_HANG  10002
#define NO_PATH    ((const char *)0)
#define NO_FD      (-1)

static char call[32];
static const char *path_part;
static unsigned long first = 1, times = 1;
static int fail_with;
static _Atomic uint64_t *count; /* NULL: off */

static long raw_mmap(size_t bytes, int flags, int fd)
{
	return syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
}

static void parse_errno(const char *s)
{
	if (!strncmp(s, "short", 5))
		fail_with = FAIL_SHORT;
	else if (!strncmp(s, "hang", 4))
		fail_with = FAIL_HANG;
	else
		fail_with = atoi(s);
}

static void __attribute__((constructor)) refuse(void)
{
	const char *what = getenv("REFUSE"), *err = what ? strchr(what, ':') : NULL;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what ? (uint32_t)atoi(what) : 0, 0, 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (err ? (uint32_t)atoi(err + 1) : 0)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };

	if (err &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)))
		abort();
	unsetenv("REFUSE"); /* a program that this one starts has the filter, too */
}

static void __attribute__((constructor)) begin(void)
{
	const char *what = getenv("FAULT"), *file = getenv("FAULT_COUNT");
	size_t stem = what ? strcspn(what, ":") : 0;
	const char *e;
	long map;
	int fd;

	if (!stem || stem >= sizeof(call) || !what[stem])
		return;
	memcpy(call, what, stem);
	first = strtoul(what + stem + 1, NULL, 10);
	e = strchr(what + stem + 1, ':');
	if (e) {
		parse_errno(e + 1);
		e = strchr(e + 1, ':');
	}
	if (e)
		times = strtoul(e + 1, NULL, 10);
	path_part = getenv("FAULT_PATH");
	if (path_part && !*path_part)
		path_part = NULL;
	fd = file ? (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC) : -1;
	map = raw_mmap(4096, fd < 0 ? MAP_ANONYMOUS : 0, fd);
	if (fd >= 0)
		syscall(SYS_close, fd);
	if (map > 0)
		count = (_Atomic uint64_t *)map;
}

static bool about(const char *path, int fd)
{
	char link[64], target[4096];
	ssize_t n;

	if (!path_part)
		return true;
	if (path)
		return strstr(path, path_part) != NULL;
	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlink, link, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	return strstr(target, path_part) != NULL;
}

static void hang(void)
{
	sigset_t all;

	sigfillset(&all);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	for (;;)
		syscall(SYS_pause);
}

/* Returns 0, or the errno with which this call fails. */
static int fault(const char *name, const char *path, int fd)
{
	int saved = errno;
	uint64_t n;
	bool hit;

	if (!count || strcmp(name, call) || !about(path, fd))
		return 0;
	errno = saved;
	n = atomic_fetch_add(count, 1) + 1;
	hit = n >= first && (!times || n < first + times);
	if (hit && fail_with == FAIL_HANG)
		hang();
	return hit ? fail_with : 0;
}

/* For calls that can fail but not be short. */
static bool fails(const char *name, const char *path, int fd)
{
	int e = fault(name, path, fd);

	if (e && e != FAIL_SHORT)
		errno = e;
	return e && e != FAIL_SHORT;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* ---- memory ---- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t n)
{
	return fails("malloc", NO_PATH, NO_FD) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
	return fails("calloc", NO_PATH, NO_FD) ? NULL : __libc_calloc(n, each);
}

void *realloc(void *p, size_t n)
{
	return fails("realloc", NO_PATH, NO_FD) ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return fails("aligned_alloc", NO_PATH, NO_FD) ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	int e = fault("posix_memalign", NO_PATH, NO_FD);

	if (e)
		return e;
	*p = __libc_memalign(align, n);
	return *p ? 0 : ENOMEM;
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t off)
{
	if (fails("mmap", NO_PATH, fd))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, n, prot, flags, fd, off);
}
void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

/* ---- files ---- */

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	if (fails(flags & O_CREAT ? "creat" : "open", path, NO_FD))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *, int, ...) __attribute__((alias("open")));

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return fails("openat", path, NO_FD) ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

FILE *fopen(const char *path, const char *mode)
{
	return fails("fopen", path, NO_FD) ? NULL : REAL(fopen)(path, mode);
}
FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));

/* Defines int NAME(PARAMS), which returns -1 with errno. */
#define WRAP(name, path, fd, params, args)                                             \
	int name params;                                                               \
	int name params                                                                \
	{                                                                              \
		return fails(#name, path, fd) ? -1 : ((int(*) params)real(#name))args; \
	}
#define WRAP64(name, path, fd, params, args) \
	WRAP(name, path, fd, params, args)   \
	int name##64 params __attribute__((alias(#name)));

#define P const char *path
WRAP(fsync, NO_PATH, fd, (int fd), (fd))
WRAP(fdatasync, NO_PATH, fd, (int fd), (fd))
WRAP(syncfs, NO_PATH, fd, (int fd), (fd))
WRAP(sync_file_range, NO_PATH, fd, (int fd, off_t at, off_t n, unsigned how), (fd, at, n, how))
WRAP64(fallocate, NO_PATH, fd, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
WRAP64(ftruncate, NO_PATH, fd, (int fd, off_t n), (fd, n))
WRAP64(fstat, NO_PATH, fd, (int fd, void *st), (fd, st))
WRAP64(stat, path, NO_FD, (P, void *st), (path, st))
WRAP64(lstat, path, NO_FD, (P, void *st), (path, st))
WRAP(access, path, NO_FD, (P, int how), (path, how))
WRAP(mkdir, path, NO_FD, (P, mode_t mode), (path, mode))
WRAP(unlink, path, NO_FD, (P), (path))
WRAP(rename, path, NO_FD, (P, const char *to), (path, to))
WRAP(fchmod, NO_PATH, fd, (int fd, mode_t mode), (fd, mode))
WRAP(flock, NO_PATH, fd, (int fd, int how), (fd, how))
WRAP64(mkostemp, path, NO_FD, (char *path, int flags), (path, flags))
WRAP(msync, NO_PATH, NO_FD, (void *at, size_t n, int how), (at, n, how))
WRAP(madvise, NO_PATH, NO_FD, (void *at, size_t n, int how), (at, n, how))

int close(int fd)
{
	bool failed = fails("close", NO_PATH, fd); /* the descriptor is closed in any case */
	int e = errno, ret = (int)syscall(SYS_close, fd);

	if (failed)
		errno = e;
	return failed ? -1 : ret;
}

int fcntl(int fd, int what, ...)
{
	va_list ap;
	long arg;

	va_start(ap, what);
	arg = va_arg(ap, long);
	va_end(ap);
	return fails("fcntl", NO_PATH, fd) ? -1 : (int)syscall(SYS_fcntl, fd, what, arg);
}
int fcntl64(int, int, ...) __attribute__((alias("fcntl")));

int ioctl(int fd, unsigned long what, ...)
{
	va_list ap;
	long arg;

	va_start(ap, what);
	arg = va_arg(ap, long);
	va_end(ap);
	return fails("ioctl", NO_PATH, fd) ? -1 : (int)syscall(SYS_ioctl, fd, what, arg);
}

int posix_fallocate(int fd, off_t at, off_t n)
{
	int e = fault("posix_fallocate", NO_PATH, fd);

	return e ? e : REAL(posix_fallocate)(fd, at, n);
}
int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));

int posix_fadvise(int fd, off_t at, off_t n, int how)
{
	int e = fault("posix_fadvise", NO_PATH, fd);

	return e ? e : REAL(posix_fadvise)(fd, at, n, how);
}
int posix_fadvise64(int, off_t, off_t, int) __attribute__((alias("posix_fadvise")));

char *realpath(const char *path, char *to)
{
	return fails("realpath", path, NO_FD) ? NULL : REAL(realpath)(path, to);
}

/* ---- data ---- */

/* Defines ssize_t NAME, which fails or moves half. `n` is the length. */
#define WRAP_IO(name, params, args)                          \
	ssize_t name params                                  \
	{                                                    \
		int e = fault(#name, NO_PATH, fd);           \
		if (e == FAIL_SHORT && n > 1)                \
			n /= 2;                              \
		else if (e && e != FAIL_SHORT)               \
			return errno = e, -1;                \
		return ((ssize_t(*) params)real(#name))args; \
	}
WRAP_IO(read, (int fd, void *p, size_t n), (fd, p, n))
WRAP_IO(write, (int fd, const void *p, size_t n), (fd, p, n))
WRAP_IO(pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
WRAP_IO(pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

/* ---- processes and descriptors ---- */

WRAP(eventfd, NO_PATH, NO_FD, (unsigned n, int flags), (n, flags))
WRAP(signalfd, NO_PATH, NO_FD, (int fd, const sigset_t *set, int flags), (fd, set, flags))
WRAP(timerfd_create, NO_PATH, NO_FD, (int clock, int flags), (clock, flags))
WRAP(timerfd_settime, NO_PATH, NO_FD, (int fd, int flags, const void *to, void *old), (fd, flags, to, old))
WRAP(pipe2, NO_PATH, NO_FD, (int fds[2], int flags), (fds, flags))
WRAP(poll, NO_PATH, NO_FD, (struct pollfd * p, nfds_t n, int ms), (p, n, ms))

pid_t fork(void)
{
	return fails("fork", NO_PATH, NO_FD) ? -1 : REAL(fork)();
}

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
	int e = fault("pthread_create", NO_PATH, NO_FD);

	return e ? e : REAL(pthread_create)(t, a, f, arg);
}

/* ---- engines, whose calls return -errno ---- */

struct iocb;
struct io_event;
#define WRAP_NEG(name, params, args)                     \
	int name params;                                 \
	int name params                                  \
	{                                                \
		int e = fault(#name, NO_PATH, NO_FD);    \
		if (e)                                   \
			return -e;                       \
		return ((int(*) params)real(#name))args; \
	}
WRAP_NEG(io_setup, (int n, void **ctx), (n, ctx))
WRAP_NEG(io_submit, (void *ctx, long n, struct iocb **v), (ctx, n, v))
WRAP_NEG(io_getevents, (void *ctx, long min, long max, struct io_event *v, struct timespec *t),
	 (ctx, min, max, v, t))
WRAP_NEG(io_uring_setup, (unsigned n, void *p), (n, p))
WRAP_NEG(io_uring_queue_mmap, (int fd, void *p, void *ring), (fd, p, ring))
WRAP_NEG(io_uring_register_buffers, (void *ring, const void *v, unsigned n), (ring, v, n))
WRAP_NEG(io_uring_register_files, (void *ring, const int *v, unsigned n), (ring, v, n))
WRAP_NEG(io_uring_register_ring_fd, (void *ring), (ring))
WRAP_NEG(io_uring_enter2, (unsigned fd, unsigned n, unsigned min, unsigned flags, void *sig, size_t bytes),
	 (fd, n, min, flags, sig, bytes))
