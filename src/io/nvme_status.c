#include "nvme.h"

#include <errno.h>
#include <stdio.h>

#define GENERIC 0x000
#define COMMAND 0x100
#define MEDIA   0x200
#define PATH    0x300
#define BITS    0x7ff

struct status {
	uint16_t code; /* SCT and SC */
	int err;
	const char *words;
};

/* clang-format off */
static const struct status table[] = {
	{ GENERIC | 0x01, EOPNOTSUPP, "invalid opcode" },
	{ GENERIC | 0x02, EOPNOTSUPP, "invalid field in the command" },
	{ GENERIC | 0x04, EIO, "data transfer error" },
	{ GENERIC | 0x05, EIO, "aborted because of power loss" },
	{ GENERIC | 0x06, EIO, "internal error of the device" },
	{ GENERIC | 0x07, EIO, "aborted on request" },
	{ GENERIC | 0x08, EIO, "aborted because the queue was deleted" },
	{ GENERIC | 0x0b, EOPNOTSUPP, "invalid namespace or format" },
	{ GENERIC | 0x15, EIO, "operation denied" },
	{ GENERIC | 0x1d, EIO, "sanitize in progress" },
	{ GENERIC | 0x20, EIO, "the namespace is write protected" },
	{ GENERIC | 0x21, EREMOTEIO, "command interrupted" },
	{ GENERIC | 0x80, EREMOTEIO, "LBA out of range" },
	{ GENERIC | 0x81, ENOSPC, "capacity exceeded" },
	{ GENERIC | 0x82, EREMOTEIO, "the namespace is not ready" },
	{ GENERIC | 0x83, EBADE, "reservation conflict" },
	{ GENERIC | 0x84, EIO, "format in progress" },
	{ COMMAND | 0x80, EOPNOTSUPP, "conflicting attributes" },
	{ COMMAND | 0x81, EILSEQ, "invalid protection information" },
	{ COMMAND | 0x82, ENODATA, "write to a read-only range" },
	{ COMMAND | 0x83, EIO, "command size limit exceeded" },
	{ COMMAND | 0xb8, EIO, "zone boundary error" },
	{ COMMAND | 0xb9, EIO, "the zone is full" },
	{ COMMAND | 0xba, EIO, "the zone is read only" },
	{ COMMAND | 0xbb, EIO, "the zone is offline" },
	{ COMMAND | 0xbc, EIO, "write that is not at the zone's write pointer" },
	{ COMMAND | 0xbd, EOVERFLOW, "too many active zones" },
	{ COMMAND | 0xbe, ETOOMANYREFS, "too many open zones" },
	{ MEDIA | 0x80, ENODATA, "write fault" },
	{ MEDIA | 0x81, ENODATA, "unrecovered read error" },
	{ MEDIA | 0x82, EILSEQ, "guard check error" },
	{ MEDIA | 0x83, EILSEQ, "application tag check error" },
	{ MEDIA | 0x84, EILSEQ, "reference tag check error" },
	{ MEDIA | 0x85, ENODATA, "compare failure" },
	{ MEDIA | 0x86, ENODATA, "access denied" },
	{ MEDIA | 0x87, ENODATA, "deallocated or unwritten logical block" },
	{ PATH | 0x00, EIO, "internal path error" },
	{ PATH | 0x60, EIO, "controller path error" },
	{ PATH | 0x70, ENOLINK, "host path error" },
	{ PATH | 0x71, ENOLINK, "command aborted by the host" },
};
/* clang-format on */

static const struct status *find_status(uint16_t status)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].code == (status & BITS))
			return &table[i];
	return NULL;
}

int nvme_status_errno(uint16_t status)
{
	const struct status *s = find_status(status);

	return s ? s->err : EIO;
}

const char *nvme_status_text(uint16_t status, char *text, size_t size)
{
	const struct status *s = find_status(status);

	snprintf(text, size, "%s (NVMe status: sct %u, sc 0x%02x)",
		 s ? s->words : "the device failed the command", status >> 8 & 7u, status & 0xffu);
	return text;
}
