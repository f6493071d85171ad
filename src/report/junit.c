#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "exit_code.h"
#include "strbuf.h"
#include "verdict.h"
#include "xmlout.h"

static void put_attribute(struct strbuf *b, const char *name, const char *value)
{
	strbuf_printf(b, " %s=\"", name);
	xmlout_escaped(b, value);
	strbuf_putc(b, '"');
}

/* Begins a test case, whose tag stays open. */
static void begin_case(struct strbuf *b, const char *class, const char *name, double seconds)
{
	strbuf_puts(b, "    <testcase");
	put_attribute(b, "classname", class);
	put_attribute(b, "name", name);
	strbuf_printf(b, " time=\"%.3f\"", seconds);
}

/* Ends a test case. element: "failure" or "error"; message: NULL if the test passed. */
static void end_case(struct strbuf *b, const char *element, const char *type, const char *message)
{
	if (!message) {
		strbuf_puts(b, "/>\n");
		return;
	}
	strbuf_printf(b, ">\n      <%s", element);
	put_attribute(b, "message", message);
	put_attribute(b, "type", type);
	strbuf_puts(b, "/>\n    </testcase>\n");
}

static bool same_case(const struct result_verdict *v, const struct result_verdict *w)
{
	return !strcmp(v->assertion, w->assertion) && !strcmp(v->of ? v->of : "", w->of ? w->of : "");
}

/* Returns whether the assertion has another verdict about the same job, of another direction. Such verdicts
   follow each other. */
static bool has_namesake(const struct result_verdicts *list, size_t i)
{
	return (i > 0 && same_case(&list->v[i - 1], &list->v[i])) ||
	       (i + 1 < list->n && same_case(&list->v[i], &list->v[i + 1]));
}

static void put_verdict(struct strbuf *b, const struct result *r, size_t i)
{
	const struct result_verdict *v = &r->verdicts.v[i];
	struct strbuf name = { 0 }, why = { 0 };

	strbuf_puts(&name, v->assertion);
	if (has_namesake(&r->verdicts, i))
		strbuf_printf(&name, " (%s)", v->figure);
	if (!v->passed)
		verdict_failure(&why, v);
	begin_case(b, v->of ? v->of : "run", strbuf_str(&name), 0);
	end_case(b, "failure", "assertion", v->passed ? NULL : strbuf_str(&why));
	strbuf_end(&name, b);
	strbuf_end(&why, b);
}

static const char *job_error(const struct result_job *j)
{
	if (j->lost_reason)
		return j->lost_reason;
	if (j->error)
		return j->error_text ? j->error_text : diag_errno(j->error);
	return NULL;
}

static void put_testcase(struct strbuf *b, const struct result *r, size_t i)
{
	const struct result_job *j = r->jobs[i];
	unsigned before = result_job_namesakes(r, i), members = j->members;
	struct strbuf name = { 0 };

	strbuf_puts(&name, j->name);
	if (before)
		strbuf_printf(&name, " (%u)", before + 1);
	begin_case(b, strbuf_str(&name), "no errors", (double)j->sum.job_runtime_ms / 1e3 / members);
	end_case(b, "error", j->lost_reason ? "lost worker" : "I/O error", job_error(j));
	strbuf_end(&name, b);
}

/* Returns what ended the run early, or NULL. Job errors and assertions have test cases of their own. */
static const char *run_error(const struct result *r, char *text, size_t size)
{
	if (r->exit.signal) {
		const char *name = sigabbrev_np(r->exit.signal);

		snprintf(text, size, "interrupted by SIG%s after %.1f s", name ? name : "?",
			 (double)r->exit.ran_ns / 1e9);
		return text;
	}
	for (unsigned i = 0; i < r->exit.count; i++)
		if (r->exit.all[i] == EXIT_OUTPUT)
			return "a log or a result could not be written";
		else if (r->exit.all[i] == EXIT_UNCHECKED)
			return "a job was to verify, and checked no block";
	if (!r->njobs && r->exit.code)
		return "the run had no result";
	return NULL;
}

static size_t errors_of(const struct result *r, bool run)
{
	size_t n = run;

	for (size_t i = 0; i < r->njobs; i++)
		n += job_error(r->jobs[i]) != NULL;
	return n;
}

static void put_timestamp(struct strbuf *b, uint64_t ms)
{
	time_t s = (time_t)(ms / 1000);
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&s, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	put_attribute(b, "timestamp", text);
}

static void put_suite(struct strbuf *b, const struct result *r, const char *source)
{
	char text[80];
	const char *error = run_error(r, text, sizeof(text));

	strbuf_puts(b, "  <testsuite");
	put_attribute(b, "name", source ? source : "fiord");
	strbuf_printf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\"",
		      r->verdicts.n + r->njobs + 1, verdicts_failed(r), errors_of(r, error != NULL),
		      (double)r->self.wall_ns / 1e9);
	put_timestamp(b, r->timestamp_ms);
	if (r->env.host)
		put_attribute(b, "hostname", r->env.host);
	strbuf_puts(b, ">\n    <properties>\n      <property name=\"command\"");
	put_attribute(b, "value", r->command ? r->command : "");
	strbuf_printf(b, "/>\n      <property name=\"exit code\" value=\"%d\"/>\n    </properties>\n",
		      r->exit.code);
	for (size_t i = 0; i < r->verdicts.n; i++)
		put_verdict(b, r, i);
	for (size_t i = 0; i < r->njobs; i++)
		put_testcase(b, r, i);
	begin_case(b, "run", "complete", (double)r->self.wall_ns / 1e9);
	end_case(b, "error", "run", error);
	strbuf_puts(b, "  </testsuite>\n");
}

int report_junit(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b)
{
	strbuf_puts(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fiord\">\n");
	for (size_t i = 0; i < n; i++)
		put_suite(b, res[i], source ? source[i] : NULL);
	strbuf_puts(b, "</testsuites>\n");
	return b->failed ? -ENOMEM : 0;
}
