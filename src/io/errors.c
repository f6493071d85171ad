#include "errors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ERRNO_MAX 4095

/* Returns whether the block layer returns this error for a failed request: medium, target, transport,
   timeout. Other errors, such as ENOSPC, would hit every following I/O, too. */
static bool fails_one_io(int err)
{
	static const int errors[] = { EIO, EILSEQ, ENODATA, EREMOTEIO, ETIMEDOUT, ENOLINK, EBADE };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		if (errors[i] == err)
			return true;
	}
	return false;
}

/* As in fio, EILSEQ (a failed integrity check) counts as verify in either direction. */
static enum error_kind error_kind_of(enum io_op op, int err)
{
	if (err == EILSEQ)
		return ERROR_VERIFY;
	return op == IO_READ ? ERROR_READ : ERROR_WRITE;
}

bool errors_survived(const struct error_cfg *c, enum io_op op, int err)
{
	enum error_kind kind = error_kind_of(op, err);

	if (!(c->survive & 1u << kind))
		return false;
	if (!c->nlisted[kind])
		return fails_one_io(err);
	for (unsigned i = 0; i < c->nlisted[kind]; i++) {
		if (c->listed[kind][i] == err)
			return true;
	}
	return false;
}

int error_number(const char *text)
{
	char *end;
	unsigned long n;

	for (int e = 1; e < 256; e++) {
		const char *name = strerrorname_np(e);

		if (name && !strcmp(name, text))
			return e;
	}
	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	n = strtoul(text, &end, 10);
	return *end || errno || n > ERRNO_MAX ? 0 : (int)n;
}
