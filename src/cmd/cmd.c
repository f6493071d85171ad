/* cmd.c: exit codes, names and output that all verbs use. */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd_diskspd.h"
#include "outfile.h"
#include "report.h"
#include "strbuf.h"
#include "version.h"

/* Opens standard streams that the caller has closed, so that their numbers do not become targets or logs.
   They are read-only, so that writes fail. */
static void open_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

void cmd_init_process(void)
{
	open_streams();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN); /* before the run has a status to show */
	signal(SIGXFSZ, SIG_IGN); /* the write fails with EFBIG */
}

int cmd_refuse(const struct job_set *set, int code, struct diag *d)
{
	diag_spell(d, set->speller);
	cmd_put_refusal(set, code, d);
	return code;
}

int cmd_code(const struct diag *d)
{
	switch (d->kind) {
	case DIAG_TARGET:
		return EXIT_TARGET;
	case DIAG_RUN:
		return EXIT_JOB;
	case DIAG_OUTPUT:
		return EXIT_OUTPUT;
	case DIAG_SIGNAL:
		return EXIT_SIGNAL - d->err;
	case DIAG_USAGE:
		if (d->err == -ENOMEM)
			return EXIT_JOB;
		break;
	}
	return EXIT_USAGE;
}

const char *cmd_name(const struct job_set *set)
{
	if (set->run.message_name)
		return set->run.message_name;
	return set->run.as_fio ? "fio" : set->diskspd.as_diskspd ? "diskspd" : "fiord";
}

int cmd_exit_code(const struct job_set *set, int code)
{
	if (!set->run.as_fio || code == EXIT_OK)
		return code;
	return code >= EXIT_SIGNAL ? EXIT_SIGNAL : 1;
}

int cmd_put(const char *text, struct diag *d)
{
	return outfile_write(NULL, text, strlen(text), d) ? EXIT_OUTPUT : EXIT_OK;
}

int cmd_put_buffer(struct strbuf *b, struct diag *d)
{
	int code = cmd_put(strbuf_str(b), d);

	strbuf_fini(b);
	return code;
}

int cmd_close_stdout(const char *name, int code)
{
	/* The caller may have given none. */
	if (!close(STDOUT_FILENO) || errno == EBADF)
		return code;
	fprintf(stderr, "%s: standard output: the result could not be written: %s\n", name,
		diag_errno(errno));
	return code ? code : EXIT_OUTPUT;
}

static int put_json_refusal(const struct job_set *set, int code, const struct diag *d, struct strbuf *out)
{
	struct result res = { 0 };
	int err;

	result_init(&res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	res.as_fio = set->run.as_fio;
	result_command(&res, set->argc, set->argv);
	result_environment(&res);
	result_note(&res, "%s", diag_text(d));
	result_exit_code(&res, code);
	result_finish(&res);
	err = report_json(&res, out);
	result_free(&res);
	return err;
}

void cmd_put_refusal(const struct job_set *set, int code, const struct diag *d)
{
	struct strbuf out = { 0 };
	struct diag ignored = { 0 };
	int err = 0;

	if (set->run.output.path)
		return;
	if (set->run.output.formats & OUT_JSON)
		err = put_json_refusal(set, code, d, &out);
	if (!err && set->run.output.formats & OUT_DISKSPD_XML && set->diskspd.profile && code == EXIT_JOB)
		err = ds_put_refusal(set, diag_text(d), &out);
	if (!err && out.len)
		outfile_write(NULL, out.text, out.len, &ignored);
	diag_fini(&ignored);
	strbuf_fini(&out);
}
