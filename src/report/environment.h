/* environment.h: reports the machine, the clock, the plan and the targets of a run. */
#ifndef REPORT_ENVIRONMENT_H
#define REPORT_ENVIRONMENT_H

struct jsonw;
struct result;
struct strbuf;

/* Adds the keys "plan", "environment", "clock" and "targets". */
void report_json_environment(struct jsonw *w, const struct result *r);
/* Adds a few lines to the normal report; none if the program runs under fio's name. */
void report_environment(struct strbuf *b, const struct result *r);

#endif
