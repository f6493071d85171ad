#include "run.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bare.h"
#include "clock.h"

#define ARGS_MAX 64
#define SAID     "said"
#define DOCUMENT "document"
#define PROFILE  "profile"

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = sig;
}

void run_init(void)
{
	struct sigaction a = { .sa_handler = stop };

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
}

bool run_stopped(void)
{
	return stopped != 0;
}

static void pin(const struct bench *b)
{
	cpu_set_t set;

	if (b->cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((unsigned)b->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Splits text at blanks. */
static void split(char *text, char **argv)
{
	unsigned n = 0;
	char *at = NULL;

	for (char *word = strtok_r(text, " ", &at); word && n < ARGS_MAX - 1; word = strtok_r(NULL, " ", &at))
		argv[n++] = word;
	argv[n] = NULL;
}

static void become(const struct bench *b, const char *program, const char *args)
{
	char *argv[ARGS_MAX], text[4096];
	int said, in = open("/dev/null", O_RDONLY);

	snprintf(text, sizeof(text), "%s %s", program, args);
	split(text, argv);
	if (chdir(b->dir))
		_exit(127);
	unlink(DOCUMENT);
	unlink(PROFILE ".1");
	said = open(SAID, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(in, 0);
	dup2(said, 1);
	dup2(said, 2);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Returns the file's whole text, or NULL. */
static char *slurp(const struct bench *b, const char *name)
{
	char path[4096], *text = NULL;
	struct stat st;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	f = fopen(path, "re");
	if (f && !fstat(fileno(f), &st) && (text = calloc(1, (size_t)st.st_size + 1)))
		text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

static double tv_ns(const struct timeval *t)
{
	return (double)t->tv_sec * 1e9 + (double)t->tv_usec * 1e3;
}

/* Waits for the process. Returns its exit code, or 128 and more after a signal. */
static int ended(pid_t pid, uint64_t start, struct outcome *o)
{
	struct rusage u;
	int status;

	while (wait4(pid, &status, 0, &u) < 0) {
		if (errno != EINTR)
			return 255;
		if (stopped)
			kill(pid, SIGTERM);
	}
	o->wall_ns = (double)(clock_raw_ns() - start);
	o->peak_mib = (double)u.ru_maxrss / 1024;
	o->cpu_ns = tv_ns(&u.ru_utime) + tv_ns(&u.ru_stime);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void complain(const struct bench *b, const char *program, const char *args, int code)
{
	char *text = slurp(b, SAID);

	fprintf(stderr, "fiord-bench: exit code %d of %s %s\n%s", code, program, args, text ? text : "");
	free(text);
}

/* Returns the last of several documents (status-interval). */
static cJSON *last_document(const char *text)
{
	const char *at = text ? strchr(text, '{') : NULL;
	cJSON *doc = NULL;

	while (at) {
		cJSON *next = cJSON_ParseWithOpts(at, &at, 0);

		if (!next)
			break;
		cJSON_Delete(doc);
		doc = next;
		at = strchr(at, '{');
	}
	return doc;
}

static void read_document(const struct bench *b, struct outcome *o)
{
	static const char *const dirs[] = { "read", "write", "trim" };
	char *text = slurp(b, DOCUMENT);
	cJSON *doc = last_document(text);
	const cJSON *job;

	cJSON_ArrayForEach(job, cJSON_GetObjectItem(doc, "jobs"))
	{
		for (int d = 0; d < 3; d++) {
			const cJSON *dir = cJSON_GetObjectItem(job, dirs[d]);
			const cJSON *ios = cJSON_GetObjectItem(dir, "total_ios");
			const cJSON *iops = cJSON_GetObjectItem(dir, "iops");

			o->ios += ios ? (uint64_t)ios->valuedouble : 0;
			o->iops += iops ? iops->valuedouble : 0;
		}
	}
	cJSON_Delete(doc);
	free(text);
}

int run_plain(const struct bench *b, const char *program, const char *args, struct outcome *o)
{
	uint64_t start;
	pid_t pid;
	int code;

	*o = (struct outcome){ 0 };
	if (stopped)
		return -EINTR;
	fflush(NULL);
	start = clock_raw_ns();
	pid = fork();
	if (pid == 0) {
		pin(b);
		become(b, program, args);
	}
	code = pid < 0 ? 255 : ended(pid, start, o);
	if (stopped)
		return -EINTR;
	if (!code)
		return 0;
	complain(b, program, args, code);
	return -EIO;
}

int run_program(const struct bench *b, const char *program, const char *args, struct outcome *o)
{
	char all[3072];
	int ret;

	snprintf(all, sizeof(all), "--output-format=json --output=" DOCUMENT " %s", args);
	ret = run_plain(b, program, all, o);
	if (!ret)
		read_document(b, o);
	return ret;
}

int run_bare(const struct bench *b, const struct bare_job *j, struct outcome *o)
{
	uint64_t start = clock_raw_ns();
	pid_t pid;
	int code;

	*o = (struct outcome){ .ios = j->ios };
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		int ret;

		pin(b);
		ret = bare_run(j);
		if (ret)
			fprintf(stderr, "fiord-bench: bare loop: %s\n", strerror(-ret));
		_exit(ret ? 1 : 0);
	}
	code = pid < 0 ? 255 : ended(pid, start, o);
	return stopped ? -EINTR : code ? -EIO : 0;
}

uint64_t run_counted(const struct bench *b, const char *args, struct outcome *o)
{
	struct bench own = *b;
	char all[3072], *text, *totals;
	uint64_t n;

	own.cpu = -1;
	/* The worker may be killed at its end before valgrind has printed, so callgrind dumps earlier. */
	snprintf(all, sizeof(all),
		 "--tool=callgrind --callgrind-out-file=" PROFILE " --dump-after=loop_run %s --thread=1 "
		 "--output-format=json --output=" DOCUMENT " %s",
		 b->fiord, args);
	if (run_plain(&own, "valgrind", all, o))
		return 0;
	read_document(b, o);
	text = slurp(b, PROFILE ".1");
	totals = text ? strstr(text, "\ntotals: ") : NULL;
	n = totals ? strtoull(totals + strlen("\ntotals: "), NULL, 10) : 0;
	free(text);
	return n;
}

pid_t run_start(const struct bench *b, const char *program, const char *args)
{
	char all[3072];
	pid_t pid;

	snprintf(all, sizeof(all), "--output-format=json --output=" DOCUMENT " %s", args);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become(b, program, all);
	return pid < 0 ? -errno : pid;
}

void run_stop(pid_t pid)
{
	struct outcome o;

	kill(pid, SIGINT);
	ended(pid, 0, &o);
}
