/* sysfs.h: reads small files of /proc and /sys. */
#ifndef SYSFS_H
#define SYSFS_H

#include <stddef.h>
#include <stdint.h>

struct cpuset;

/* For tests only: a directory that is prepended to paths in /sys and /proc; otherwise "". */
extern const char *sysfs_root;

/* Reads the first line, without its newline, into buf. Returns 0 or -errno. path is a printf format. */
int sysfs_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));
/* Reads a number. Returns 0 or -errno (-EINVAL: not a number). */
int sysfs_u64(uint64_t *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* Reads a list of CPUs or of memory nodes. Returns 0 or -errno, with the errors of cpuset_parse. */
int sysfs_cpuset(struct cpuset *out, const char *path, ...) __attribute__((format(printf, 2, 3)));

#endif
