/* open_files.h: the open files without I/Os in flight, in the order of their last use, so that the one that
   was used longest ago can make room for another one (openfiles). */
#ifndef OPEN_FILES_H
#define OPEN_FILES_H

#include <stdbool.h>
#include <stdint.h>

#define OPEN_FILES_NONE UINT32_MAX

/* A list linked by file number. Some of its files may have I/Os in flight again, so the caller checks those
   that it takes. */
struct open_files {
	struct open_files_link {
		uint32_t older, newer; /* 1 + number; 0: none. If a file is not in the list, both are 0 and
					  it is not `oldest` */
	} * link;
	uint32_t oldest, newest; /* 1 + number */
};

/* n: the number of files. Memory is used only for files that are opened. Returns false if memory is short. */
bool open_files_init(struct open_files *s, uint32_t n);
void open_files_fini(struct open_files *s);
/* Makes the file the newest one, whether it is in the list or not. */
void open_files_use(struct open_files *s, uint32_t file);
/* Removes the file if it is in the list. */
void open_files_remove(struct open_files *s, uint32_t file);
/* Removes the oldest file and returns it; OPEN_FILES_NONE: the list is empty. */
uint32_t open_files_take(struct open_files *s);

#endif
