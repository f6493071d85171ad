/* sysfs.h: small files of /proc and /sys. */
#ifndef SYSFS_H
#define SYSFS_H

#include <stddef.h>
#include <stdint.h>

struct cpuset;

/* Tests only: a tree to look into instead, put before /sys and /proc. "" otherwise. */
extern const char *sysfs_root;

/* The first line without its newline, into buf. 0 or -errno. path is printf-like. */
int sysfs_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));
/* 0 or -errno (-EINVAL: not a number). */
int sysfs_u64(uint64_t *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* A list of CPUs or of memory nodes: 0 or -errno, as cpuset_parse. */
int sysfs_cpuset(struct cpuset *out, const char *path, ...) __attribute__((format(printf, 2, 3)));

#endif
