/* cpuset.h: a set of CPUs or of memory nodes, and its text form as a list ("0,2-5"). */
#ifndef CPUSET_H
#define CPUSET_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

#define CPUSET_MAX 4096

struct cpuset {
	uint64_t bits[CPUSET_MAX / 64];
};

static inline bool cpuset_has(const struct cpuset *s, unsigned n)
{
	return n < CPUSET_MAX && s->bits[n / 64] >> n % 64 & 1;
}
static inline void cpuset_add(struct cpuset *s, unsigned n)
{
	s->bits[n / 64] |= 1ull << n % 64;
}
unsigned cpuset_count(const struct cpuset *s);
/* Returns the n-th member of the set, counted from 0; -1 if the set has n members or fewer. */
int cpuset_nth(const struct cpuset *s, unsigned n);
void cpuset_and(struct cpuset *s, const struct cpuset *with);
void cpuset_or(struct cpuset *s, const struct cpuset *with);
void cpuset_without(struct cpuset *s, const struct cpuset *without);

/* Parses numbers and ranges that are separated by commas; blanks around them are allowed. Returns 0, -EINVAL
   (not such a list) or -ERANGE (beyond CPUSET_MAX). *s is unchanged on an error. */
int cpuset_parse(const char *text, struct cpuset *s);
void cpuset_print(const struct cpuset *s, struct strbuf *out);

#endif
