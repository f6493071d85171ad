/* profile_facts.h: what follows from a profile: threads, weights and steps of its targets. Pure. */
#ifndef DISKSPD_PROFILE_FACTS_H
#define DISKSPD_PROFILE_FACTS_H

#include <stdbool.h>
#include "profile.h"

/* Threads that work on a target. */
unsigned ds_target_threads(const struct ds_span *s, const struct ds_target *t);
/* The highest number of those, from which its start follows. */
unsigned ds_last_thread(const struct ds_span *s, const struct ds_target *t);
/* How often threads take it that no ThreadTarget says otherwise of; 0 in a profile is 1. */
unsigned ds_target_weight(const struct ds_target *t);
/* How often a thread under -F takes this target for its next I/O; 0: never. */
unsigned ds_thread_weight(const struct ds_target *t, unsigned thread);
/* All threads of a span. */
uint64_t ds_span_threads(const struct ds_span *s);
/* The step of sequential I/O, the alignment of random. */
uint64_t ds_step(const struct ds_target *t);
/* How large a time span before this one leaves the file behind; 0: none makes it. */
uint64_t ds_created_size_before(const struct ds_profile *p, const struct ds_span *until, const char *path);
/* -c counts: not for drives and volumes. */
bool ds_creates_file(const struct ds_target *t);
bool ds_is_device(const struct ds_target *t);
/* Whether the block size, pattern and all else of two targets is the same, but for their paths. */
bool ds_same_load(const struct ds_target *a, const struct ds_target *b);

#endif
