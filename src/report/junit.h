/* junit.h: assertions and errors of runs as JUnit XML, which test servers read. */
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include "result.h"

struct strbuf;

/* Writes a test suite for each result, named by source[] unless it is NULL: a test case for each verdict, one
   for the errors of each job, and one for the end of the run. Returns 0 or -ENOMEM. */
int report_junit(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

#endif
