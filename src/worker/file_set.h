/* file_set.h: the worker's files and their states. */
#ifndef FILE_SET_H
#define FILE_SET_H

#include <stdbool.h>
#include <stdint.h>
#include "file.h"

enum file_state { FILE_CLOSED, FILE_OPEN, FILE_DONE };

struct file_set {
	struct file *file;  /* by number in the plan */
	uint8_t *state;     /* enum file_state */
	uint32_t *inflight; /* I/Os in flight per file, if count_inflight */
	uint32_t nopen;
	bool count_inflight;
	bool dynamic; /* files are opened and closed while the job runs */
	bool fitted;  /* fill_device: files are shorter than planned */
	bool synced;  /* the data of the last loop has been synced */
};

#endif
