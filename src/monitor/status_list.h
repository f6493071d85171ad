/* status_list.h: the entries of fiord.status. Memory is bounded: when there is no room for a new entry, the
   oldest ones are dropped. */
#ifndef STATUS_LIST_H
#define STATUS_LIST_H

#include <stddef.h>
#include <stdint.h>

struct status_list {
	char **v; /* JSON objects, the oldest first */
	size_t n, cap;
	size_t bytes;     /* of all texts */
	uint64_t dropped; /* entries */
};

/* Copies text to the end, and drops the oldest entries while all take more than max_bytes. The new entry
   always stays. Returns 0 or -ENOMEM. The list is zeroed at first. */
int status_list_add(struct status_list *l, const char *text, size_t max_bytes);
void status_list_fini(struct status_list *l);

#endif
