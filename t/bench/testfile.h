/* testfile.h: the files that scenes read and write; made once, when first needed. */
#ifndef TESTFILE_H
#define TESTFILE_H

#include "run.h"

enum testfile { FILE_SMALL, FILE_LARGE };

uint64_t testfile_bytes(const struct bench *b, enum testfile which);
/* Its path; NULL once it is said that it cannot be made. cached: all of it is in the page cache; else none
 * is. */
const char *testfile_path(const struct bench *b, enum testfile which, bool cached);
/* Why there is no O_DIRECT, or NULL. */
const char *testfile_no_direct(const struct bench *b);
void testfile_remove(const struct bench *b);

#endif
