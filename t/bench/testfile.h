/* testfile.h: the files that scenes read and write, created when first needed. */
#ifndef TESTFILE_H
#define TESTFILE_H

#include "run.h"

enum testfile { FILE_SMALL, FILE_LARGE };

uint64_t testfile_bytes(const struct bench *b, enum testfile which);
/* Returns the file's path, or NULL after printing why it cannot be created. cached: the whole file is in
   the page cache; otherwise nothing of it is. */
const char *testfile_path(const struct bench *b, enum testfile which, bool cached);
/* Returns the reason why O_DIRECT does not work, or NULL. */
const char *testfile_no_direct(const struct bench *b);
void testfile_remove(const struct bench *b);

#endif
