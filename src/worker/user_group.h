/* user_group.h: the user and group of a worker. */
#ifndef USER_GROUP_H
#define USER_GROUP_H

#include "clone.h"

/* Changes the worker to the user and group of the job (uid, gid). It cannot change back. Returns false after
   clone_fail. */
bool user_group_set(struct clone *c);

#endif
