/* environment.h: where and how a run was done. */
#ifndef REPORT_ENVIRONMENT_H
#define REPORT_ENVIRONMENT_H

struct jsonw;
struct result;
struct strbuf;

/* "plan", "environment", "clock" and "targets". */
void report_json_environment(struct jsonw *w, const struct result *r);
/* A few lines of the normal report; none in fio's name. */
void report_environment(struct strbuf *b, const struct result *r);

#endif
