/* type_diskspd.c: the kinds of value of the options in rows_diskspd.inc. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cpuset.h"
#include "rows.h"
#include "types.h"

#define WEIGHT_MAX 65535 /* as large as the number of a thread */
#define LIST_HINT  "write CPU numbers and ranges between commas, such as 3,1,4-7"

/* Reads the digits at *text and moves *text past them. Returns false if there are none, or if the number is
   above max. */
static bool read_integer(const char **text, unsigned long max, unsigned long *out)
{
	size_t n = strspn(*text, "0123456789");

	if (!n || n > 9 || (*out = strtoul(*text, NULL, 10)) > max)
		return false;
	*text += n;
	return true;
}

/* Reads "3" or "3-5" at *at and moves *at past it. */
static bool read_cpus(const char **at, unsigned long *first, unsigned long *last)
{
	if (!read_integer(at, CPUSET_MAX - 1, first))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	++*at;
	return read_integer(at, CPUSET_MAX - 1, last) && *last >= *first;
}

static int cpu_list_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	const char *at = text;
	unsigned long first, last;

	(void)row;
	(void)ctx;
	for (;; at++) {
		if (!read_cpus(&at, &first, &last) || (*at && *at != ','))
			return diag_err(d, -EINVAL, "not a list of CPUs from 0 to %d; " LIST_HINT,
					CPUSET_MAX - 1);
		if (!*at)
			break;
	}
	return opt_text_set(field, text, d);
}

/* Returns CPU number *n of the list. If the list is shorter, subtracts its length from *n. */
static unsigned long nth_in_list(const char *at, uint32_t *n)
{
	unsigned long first = 0, last = 0;

	for (; read_cpus(&at, &first, &last); at += *at == ',') {
		if (*n <= last - first)
			return first + *n;
		*n -= (uint32_t)(last - first + 1);
	}
	return CPUSET_MAX;
}

uint32_t cpu_list_count(const char *list)
{
	uint32_t left = UINT32_MAX;

	nth_in_list(list, &left);
	return UINT32_MAX - left;
}

unsigned cpu_list_nth(const char *list, uint32_t n)
{
	unsigned long cpu;

	n %= cpu_list_count(list);
	cpu = nth_in_list(list, &n);
	return (unsigned)cpu;
}

/* Accepts the letters c and s, and at most one of the others, each at most once. */
static int cpu_order_parse(const struct opt_row *row, void *field, const char *text,
			   const struct opt_ctx *ctx, struct diag *d)
{
	unsigned orders = 0;

	(void)row;
	(void)ctx;
	for (const char *c = text; *c; c++) {
		orders += strchr("pPeEu", *c) != NULL;
		if (!strchr("cspPeEu", *c) || strchr(c + 1, *c))
			orders = 2;
	}
	if (!*text || orders > 1)
		return diag_err(d, -EINVAL,
				"not an order; write letters of c and s, and one of p, P, e, E and u");
	return opt_text_set(field, text, d);
}

static int weights_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	const char *at = text;
	unsigned long v;
	bool ok = read_integer(&at, WEIGHT_MAX, &v), each = ok && *at == '/';

	(void)row;
	(void)ctx;
	while (ok && each) {
		at++;
		ok = read_integer(&at, WEIGHT_MAX, &v) && v;
		if (!ok || *at != ':')
			break;
		at++;
		ok = read_integer(&at, WEIGHT_MAX, &v) && *at == '/';
	}
	if (!ok || *at || (!each && !v))
		return diag_err(d, -EINVAL,
				"not a weight from 1 to %d, nor THREAD/WEIGHT:THREAD/WEIGHT, such as 0/4:2/1",
				WEIGHT_MAX);
	return opt_text_set(field, text, d);
}

static int file_weights_parse(const struct opt_row *row, void *field, const char *text,
			      const struct opt_ctx *ctx, struct diag *d)
{
	const char *at = text;
	unsigned long v = 0;
	bool ok;

	(void)row;
	(void)ctx;
	while ((ok = read_integer(&at, WEIGHT_MAX, &v) && v) && *at == ':')
		at++;
	if (!ok || *at)
		return diag_err(d, -EINVAL,
				"not weights; write a whole number from 1 to %d for each file, such as 3:1:1",
				WEIGHT_MAX);
	return opt_text_set(field, text, d);
}

uint32_t file_weights_read(const char *list, uint32_t *weight, uint32_t n)
{
	uint32_t count = 0;
	unsigned long v;

	for (; read_integer(&list, WEIGHT_MAX, &v); list += *list == ':') {
		if (count < n)
			weight[count] = (uint32_t)v;
		count++;
	}
	return count;
}

/* Reads the next THREAD/WEIGHT of a list. Returns false at its end. */
static bool read_thread_weight(const char **at, unsigned long *thread, unsigned long *weight)
{
	if (!read_integer(at, WEIGHT_MAX, thread) || **at != '/')
		return false;
	++*at;
	if (!read_integer(at, WEIGHT_MAX, weight))
		return false;
	*at += **at == ':';
	return true;
}

uint32_t thread_weight(const char *list, uint32_t thread)
{
	unsigned long t, v;

	if (!list)
		return 1;
	if (!strchr(list, '/'))
		return (uint32_t)strtoul(list, NULL, 10);
	while (read_thread_weight(&list, &t, &v))
		if (t == thread)
			return (uint32_t)v;
	return 0;
}

uint32_t thread_weight_last(const char *list)
{
	unsigned long t, v, last = 0;

	while (list && read_thread_weight(&list, &t, &v))
		last = t > last ? t : last;
	return (uint32_t)last;
}

const struct opt_type job_type_file_weights = { OPT_TYPE_TEXT("weights", file_weights_parse) };
const struct opt_type job_type_cpu_list = { OPT_TYPE_TEXT("CPUs in order", cpu_list_parse) };
const struct opt_type job_type_cpu_order = { OPT_TYPE_TEXT("letters", cpu_order_parse) };
const struct opt_type job_type_thread_weights = { OPT_TYPE_TEXT("weight", weights_parse) };
