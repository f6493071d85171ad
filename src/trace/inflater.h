/* inflater.h: decompresses a file while it is read. */
#ifndef INFLATER_H
#define INFLATER_H

#include <stdbool.h>
#include <stddef.h>

struct inflater;

/* Returns true if files that begin with these bytes are compressed. */
bool inflater_knows(const void *bytes, size_t len);
/* Returns the program that unpacks files that begin with these bytes, if it must, such as "xz"; else NULL. */
const char *inflater_program(const void *bytes, size_t len);
/* Makes the inflater for a file that begins with these bytes. The rest it reads from fd. Returns NULL with
 *error. */
struct inflater *inflater_new(int fd, const void *bytes, size_t len, const char **error);
void inflater_free(struct inflater *f);
/* Returns how many bytes it stored, 0 at the end; or -errno with *error, a text for the user. */
long inflater_read(struct inflater *f, void *to, size_t room, const char **error);

#endif
