/* oom.h: the kernel's OOM killer: how often it struck, and which process it takes first. */
#ifndef OOM_H
#define OOM_H

#include <stddef.h>
#include <stdint.h>

/* How many processes the kernel has killed for lack of memory since boot; 0 if it does not say. */
uint64_t oom_kills(void);

/* Raises oom_score_adj of this process to the maximum, so that the children it forks are killed before it.
   The parent does this once, because a write by each of thousands of workers would slow down their start. A
   negative value, which somebody set to protect the process, stays. */
struct oom_score {
	int fd;
	char saved[16];
	size_t len; /* of `saved`; 0: nothing to restore */
};
void oom_score_raise(struct oom_score *o);
void oom_score_restore(struct oom_score *o);

#endif
