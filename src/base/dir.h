/* dir.h: the directions of I/O. */
#ifndef DIR_H
#define DIR_H

/* Data directions come first; DIR_SYNC stands for fsync and similar calls, which move no data. */
enum io_dir { DIR_READ, DIR_WRITE, DIR_TRIM, DIR_SYNC, DIR_COUNT };
#define DIR_DATA 3

/* The value of rw=: a set of directions, random or sequential. */
enum rw_bits {
	RW_READ = 1 << DIR_READ,
	RW_WRITE = 1 << DIR_WRITE,
	RW_TRIM = 1 << DIR_TRIM,
	RW_RANDOM = 1 << 4,
	RW_TRIMWRITE = 1 << 5, /* each block is trimmed, then written */
	RW_DIRS = RW_READ | RW_WRITE | RW_TRIM,
};

#endif
