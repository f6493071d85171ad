#include "session.h"

#include <errno.h>
#include <sys/mman.h>

/* ENTRY_BYTES is for one entry of the result, in memory and as text that is copied while it grows; REST_BYTES
   is for everything else. */
#define ENTRY_BYTES (32u << 10)
#define REST_BYTES  (1u << 20)

int reserve_take(struct reserve *r, const struct plan *p, struct diag *d)
{
	size_t bytes = p->nreports * (size_t)ENTRY_BYTES + REST_BYTES;
	void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return diag_kind(d, DIAG_RUN, -ENOMEM,
				 "no room for the result: %zu KiB of memory for %u jobs: %s%s; "
				 "group_reporting needs less",
				 bytes >> 10, p->nreports, diag_errno(ENOMEM), diag_hint(ENOMEM));
	madvise(base, bytes, MADV_DONTFORK);
	*r = (struct reserve){ base, bytes };
	return 0;
}

void reserve_release(struct reserve *r)
{
	if (r->bytes)
		munmap(r->base, r->bytes);
	*r = (struct reserve){ 0 };
}
