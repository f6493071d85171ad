/* oom.h: the kernel's OOM killer: how often it has killed, and which process it kills first. */
#ifndef OOM_H
#define OOM_H

#include <stddef.h>
#include <stdint.h>

/* Returns how many processes the kernel has killed for lack of memory since boot; 0 if the count is unknown.
 */
uint64_t oom_kills(void);

/* Raises oom_score_adj of this process to the maximum, so that the OOM killer prefers the children that
   it forks. The parent does this once, because a write by each of thousands of workers would slow down their
   start. A negative value protects the process on purpose, and stays. */
struct oom_score {
	int fd;
	char saved[16];
	size_t len; /* of `saved`; 0: nothing to restore */
};
void oom_score_raise(struct oom_score *o);
void oom_score_restore(struct oom_score *o);

#endif
