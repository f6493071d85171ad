/* blktrace_record.h: the records of blktrace. The layout is that of linux/blktrace_api.h. */
#ifndef BLKTRACE_RECORD_H
#define BLKTRACE_RECORD_H

#include <stdint.h>

#define BLKTRACE_MAGIC        0x65617400u
#define BLKTRACE_MAGIC_MASK   0xffffff00u
#define BLKTRACE_VERSION      7
#define BLKTRACE_SECTOR_BYTES 512
#define BLKTRACE_MINOR_BITS   20

#define BLKTRACE_QUEUED 1u /* the event, in the low bits of `action` */

/* The categories, in its high bits. */
#define BLKTRACE_CATEGORY(n) (1u << (16 + (n)))
#define BLKTRACE_C_READ      BLKTRACE_CATEGORY(0)
#define BLKTRACE_C_WRITE     BLKTRACE_CATEGORY(1)
#define BLKTRACE_C_FLUSH     BLKTRACE_CATEGORY(2)
#define BLKTRACE_C_QUEUE     BLKTRACE_CATEGORY(4)
#define BLKTRACE_C_COMMAND   BLKTRACE_CATEGORY(9) /* a command that is passed through */
#define BLKTRACE_C_NOTIFY    BLKTRACE_CATEGORY(10)
#define BLKTRACE_C_DISCARD   BLKTRACE_CATEGORY(13)
#define BLKTRACE_C_DRIVER    BLKTRACE_CATEGORY(14)
#define BLKTRACE_C_FUA       BLKTRACE_CATEGORY(15)

struct blktrace_record {
	uint32_t magic, sequence;
	uint64_t time_ns, sector;
	uint32_t bytes, action, pid, device, cpu;
	uint16_t error, more_bytes;
};
_Static_assert(sizeof(struct blktrace_record) == 48, "the record has no padding");

#endif
