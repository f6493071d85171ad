/* profile_facts.h: facts that follow from a profile: threads, weights and steps of its targets. Pure. */
#ifndef DISKSPD_PROFILE_FACTS_H
#define DISKSPD_PROFILE_FACTS_H

#include <stdbool.h>
#include "profile.h"

/* Returns the number of threads that work on the target. */
unsigned ds_target_threads(const struct ds_span *s, const struct ds_target *t);
/* Returns the highest index of these threads, which gives its start with -T. */
unsigned ds_last_thread(const struct ds_span *s, const struct ds_target *t);
/* Returns the weight of the target for threads without a ThreadTarget of their own. A weight of 0 counts as
   1. */
unsigned ds_target_weight(const struct ds_target *t);
/* Returns the weight with which this thread of -F chooses the target for its next I/O; 0: it does not use
   it. */
unsigned ds_thread_weight(const struct ds_target *t, unsigned thread);
/* Returns the number of all threads of the span. */
uint64_t ds_span_threads(const struct ds_span *s);
/* Returns the step of sequential I/O, or the alignment of random I/O, in bytes. */
uint64_t ds_step(const struct ds_target *t);
/* Returns the size in which a time span before `until` creates the file; 0: none does. */
uint64_t ds_created_size_before(const struct ds_profile *p, const struct ds_span *until, const char *path);
/* Returns true if -c creates the target as a file: it has no effect on drives and volumes. */
bool ds_creates_file(const struct ds_target *t);
bool ds_is_device(const struct ds_target *t);
/* Returns true if two targets have the same options, apart from their paths. */
bool ds_same_load(const struct ds_target *a, const struct ds_target *b);

#endif
