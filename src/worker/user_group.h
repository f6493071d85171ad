/* user_group.h: the user and group of a worker. */
#ifndef USER_GROUP_H
#define USER_GROUP_H

#include "clone.h"

/* Becomes the user and group that the job asks for (uid, gid), for good. False after clone_fail. */
bool user_group_take(struct clone *c);

#endif
