/* file_tree.h: lists the regular files below a directory. Reads directories only. Symbolic links are not
   followed, and devices, pipes and sockets are left out. */
#ifndef FILE_TREE_H
#define FILE_TREE_H

#include <stddef.h>
#include "arena.h"
#include "diag.h"

#define FILE_TREE_MAX      ((size_t)1 << 24) /* files */
#define FILE_TREE_PATTERNS 4095              /* bytes of a list of patterns */

struct file_tree {
	const char **v; /* each begins with the directory as the user wrote it; sorted by bytes */
	size_t n, cap;
	size_t unmatched; /* files that the patterns leave out */
	struct arena arena;
};

/* Lists the files in dir and in all directories below it. match: NULL, or patterns of fnmatch(3) with ':'
   between them. A file is listed if it matches one of those without '!' before them, or if there are none,
   and matches none with '!'. A pattern without '/' is compared with the file's name, another one with its
   path below dir. *t is zeroed; call file_tree_fini in any case. Returns 0 or -errno with d (DIAG_TARGET). */
int file_tree_list(struct file_tree *t, const char *dir, const char *match, struct diag *d);
void file_tree_fini(struct file_tree *t);

#endif
