/* rank_targets.h: finds files that two ranks would damage together. Each rank packs a record of each of its
   targets, and rank 0 compares the records of all ranks. Device and inode identify a file of one machine; the
   mounted source and the inode identify a file of a network file system. Nothing here needs MPI. */
#ifndef RANK_TARGETS_H
#define RANK_TARGETS_H

#include "diag.h"
#include "plan.h"

struct strbuf;

/* Returns a number that identifies this machine. */
uint64_t rank_machine_id(void);
/* Returns a number that identifies a file system: by the source from which a network file system is mounted,
   by the machine and the device number of any other. */
uint64_t rank_fs_id(uint64_t machine, dev_t dev, const char *fstype, const char *source);

/* Adds the records of this rank's targets. */
void rank_targets_pack(const struct plan *p, uint64_t machine, struct strbuf *out);

struct rank_target;
struct rank_targets {
	struct rank_target *v;
	size_t n, cap;
	struct arena paths;
};
/* Adds the records of a rank. Returns 0, -ENOMEM, or -EPROTO if they are damaged. */
int rank_targets_add(struct rank_targets *t, int rank, const char *pack, size_t bytes);
/* Refuses files that several ranks would write, unless all of them have rank_shared, and verification of
   bytes that another rank writes. host(ctx, rank) is the name of a rank's host. Returns 0 or -errno with d.
 */
int rank_targets_check(struct rank_targets *t, const char *(*host)(const void *ctx, int rank),
		       const void *ctx, struct diag *d);
void rank_targets_fini(struct rank_targets *t);

#endif
