/* faulty_files.h: the files of faulty_fs.c: their content for reads, and what a power loss leaves. */
#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

#include <pthread.h>
#include <stdio.h>

#define FILE_MAX  (256l << 20)
#define FILES     256
#define NAME_SIZE 128
#define SECTOR    512

/* Bytes at a place of a file: an unsynced write, or the content that stale reads return. */
struct extent {
	struct extent *next;
	long offset, bytes;
	unsigned char data[];
};

struct file {
	char name[NAME_SIZE]; /* empty: deleted */
	long size;
	unsigned opens;
	unsigned char *data, *durable;   /* what reads see; what a power loss leaves */
	struct extent *unsynced, **last; /* in the order of the writes */
	struct extent *stale;
};

extern pthread_mutex_t lock; /* of all that follows */
extern struct file files[FILES];
extern FILE *log_file;

/* Writes a line to the log. */
void record(const char *kind, const struct file *f, long offset, long bytes, long arg);

struct extent *extent_new(const unsigned char *data, long offset, long bytes);
void grow(struct file *f, long size);
/* Stores bytes, which are unsynced until sync_file(). */
void store(struct file *f, const unsigned char *data, long offset, long bytes);
void sync_file(struct file *f);
void forget_unsynced(struct file *f);
/* Forgets the stale content of these bytes. */
void forget_stale(struct file *f, long offset, long bytes);
/* Zeroes bytes that are cut off or deallocated, also those that a power loss leaves. */
void zero(struct file *f, long offset, long bytes);

#endif
