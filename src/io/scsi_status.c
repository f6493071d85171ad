#include <errno.h>
#include <scsi/sg.h>
#include <stdio.h>
#include "scsi.h"

#define STATUS_CHECK 0x02

enum {
	NO_SENSE,
	RECOVERED,
	NOT_READY,
	MEDIUM,
	HARDWARE,
	ILLEGAL,
	ATTENTION,
	PROTECTED,
	ABORTED = 11,
	MISCOMPARE = 14
};

/* The errno and words of a sense key. */
static const struct {
	int err;
	const char *words;
} keys[16] = {
	[NO_SENSE] = { EIO, "no sense" },
	[RECOVERED] = { EIO, "recovered error" },
	[NOT_READY] = { EIO, "not ready" },
	[MEDIUM] = { ENODATA, "medium error" },
	[HARDWARE] = { EREMOTEIO, "hardware error" },
	[ILLEGAL] = { EREMOTEIO, "illegal request" },
	[ATTENTION] = { EAGAIN, "unit attention" },
	[PROTECTED] = { EREMOTEIO, "data protect" },
	[8] = { EREMOTEIO, "blank check" },
	[9] = { EIO, "vendor specific" },
	[10] = { EREMOTEIO, "copy aborted" },
	[ABORTED] = { EIO, "aborted command" },
	[12] = { EIO, "reserved sense key" },
	[13] = { EREMOTEIO, "volume overflow" },
	[MISCOMPARE] = { EREMOTEIO, "miscompare" },
	[15] = { EIO, "completed" },
};

struct code {
	uint8_t a, b;      /* asc and ascq; or status or host code, and 0 */
	int err;           /* 0: that of the sense key */
	const char *words; /* of T10 */
};

/* clang-format off */
static const struct code senses[] = {
	{ 0x03, 0x00, 0, "peripheral device write fault" },
	{ 0x04, 0x00, 0, "logical unit not ready, cause not reportable" },
	{ 0x04, 0x01, 0, "logical unit is in process of becoming ready" },
	{ 0x04, 0x02, 0, "logical unit not ready, initializing command required" },
	{ 0x04, 0x04, 0, "logical unit not ready, format in progress" },
	{ 0x08, 0x00, 0, "logical unit communication failure" },
	{ 0x0c, 0x00, 0, "write error" },
	{ 0x0c, 0x02, 0, "write error, auto reallocation failed" },
	{ 0x10, 0x00, EILSEQ, "ID CRC or ECC error" },
	{ 0x10, 0x01, EILSEQ, "logical block guard check failed" },
	{ 0x10, 0x02, EILSEQ, "logical block application tag check failed" },
	{ 0x10, 0x03, EILSEQ, "logical block reference tag check failed" },
	{ 0x11, 0x00, 0, "unrecovered read error" },
	{ 0x11, 0x01, 0, "read retries exhausted" },
	{ 0x11, 0x04, 0, "unrecovered read error, auto reallocate failed" },
	{ 0x11, 0x14, 0, "read error, LBA marked bad by application client" },
	{ 0x14, 0x00, 0, "recorded entity not found" },
	{ 0x15, 0x00, 0, "random positioning error" },
	{ 0x1a, 0x00, 0, "parameter list length error" },
	{ 0x1d, 0x00, 0, "miscompare during verify operation" },
	{ 0x20, 0x00, EOPNOTSUPP, "invalid command operation code" },
	{ 0x21, 0x00, 0, "logical block address out of range" },
	{ 0x21, 0x04, 0, "unaligned write command" },
	{ 0x24, 0x00, EOPNOTSUPP, "invalid field in CDB" },
	{ 0x25, 0x00, 0, "logical unit not supported" },
	{ 0x26, 0x00, EOPNOTSUPP, "invalid field in parameter list" },
	{ 0x27, 0x00, 0, "write protected" },
	{ 0x27, 0x07, ENOSPC, "space allocation failed write protect" },
	{ 0x28, 0x00, 0, "not ready to ready change, medium may have changed" },
	{ 0x29, 0x00, 0, "power on, reset, or bus device reset occurred" },
	{ 0x2a, 0x09, 0, "capacity data has changed" },
	{ 0x31, 0x00, 0, "medium format corrupted" },
	{ 0x3a, 0x00, 0, "medium not present" },
	{ 0x3f, 0x0e, 0, "reported LUNs data has changed" },
	{ 0x44, 0x00, 0, "internal target failure" },
	{ 0x47, 0x00, 0, "SCSI parity error" },
	{ 0x4b, 0x00, 0, "data phase error" },
};
static const struct code statuses[] = {
	{ 0x02, 0, EIO, "check condition without sense data" },
	{ 0x08, 0, EAGAIN, "busy" },
	{ 0x18, 0, EBADE, "reservation conflict" },
	{ 0x28, 0, EAGAIN, "task set full" },
	{ 0x30, 0, EIO, "ACA active" },
	{ 0x40, 0, EAGAIN, "task aborted" },
};
static const struct code hosts[] = {
	{ 0x01, 0, EIO, "no connection to the disk" },
	{ 0x02, 0, EAGAIN, "the bus stayed busy" },
	{ 0x03, 0, ETIMEDOUT, "the command timed out" },
	{ 0x04, 0, EIO, "bad target" },
	{ 0x05, 0, EIO, "aborted by the driver" },
	{ 0x06, 0, EIO, "parity error on the bus" },
	{ 0x07, 0, EIO, "internal error of the driver" },
	{ 0x08, 0, EAGAIN, "reset" },
	{ 0x0b, 0, EAGAIN, "soft error of the driver" },
	{ 0x0d, 0, EAGAIN, "requeued by the driver" },
	{ 0x0e, 0, ENOLINK, "the transport was disrupted" },
	{ 0x0f, 0, ENOLINK, "the transport failed" },
};
/* clang-format on */
#define FIND(table, a, b) find(table, sizeof(table) / sizeof(*(table)), a, b)

static const struct code *find(const struct code *table, size_t n, uint8_t a, uint8_t b)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].a == a && table[i].b == b)
			return &table[i];
	return NULL;
}

/* Sense data have the fixed format (response codes 70h and 71h) or the one with descriptors (72h and 73h). */
static bool read_sense(struct scsi_status *s, const uint8_t *sense, unsigned n)
{
	uint8_t code = n ? sense[0] & 0x7f : 0;

	if ((code == 0x70 || code == 0x71) && n >= 14) {
		s->key = sense[2] & 15;
		s->asc = sense[12];
		s->ascq = sense[13];
	} else if ((code == 0x72 || code == 0x73) && n >= 4) {
		s->key = sense[1] & 15;
		s->asc = sense[2];
		s->ascq = sense[3];
	} else {
		return false;
	}
	return true;
}

bool scsi_status_read(struct scsi_status *s, const struct sg_io_hdr *answer)
{
	*s = (struct scsi_status){ .status = answer->status & 0x7e, .host = (uint8_t)answer->host_status };
	if ((answer->info & SG_INFO_OK_MASK) == SG_INFO_OK)
		return false;
	if (answer->sb_len_wr && read_sense(s, answer->sbp, answer->sb_len_wr)) {
		s->status = STATUS_CHECK;
		return s->key > RECOVERED;
	}
	if (!s->status && !s->host)
		s->host = 0x07;
	return true;
}

static bool has_sense(const struct scsi_status *s)
{
	return s->status == STATUS_CHECK && (s->key || s->asc || s->ascq);
}

int scsi_status_errno(const struct scsi_status *s)
{
	const struct code *c;

	if (has_sense(s)) {
		c = FIND(senses, s->asc, s->ascq);
		return c && c->err ? c->err : keys[s->key & 15].err;
	}
	c = s->status ? FIND(statuses, s->status, 0) : FIND(hosts, s->host, 0);
	return c ? c->err : EIO;
}

const char *scsi_status_text(const struct scsi_status *s, char *text, size_t size)
{
	const struct code *c;

	if (has_sense(s)) {
		c = FIND(senses, s->asc, s->ascq);
		snprintf(text, size, "%s%s%s (SCSI sense %x/%02x/%02x)", keys[s->key & 15].words,
			 c ? ", " : "", c ? c->words : "", s->key, s->asc, s->ascq);
		return text;
	}
	c = s->status ? FIND(statuses, s->status, 0) : FIND(hosts, s->host, 0);
	snprintf(text, size, "%s (SCSI %s 0x%02x)", c ? c->words : "the command failed",
		 s->status ? "status" : "host status", s->status ? s->status : s->host);
	return text;
}
