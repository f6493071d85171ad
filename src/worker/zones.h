/* zones.h: the zones of a worker's files (zonemode=zbd). The write pointers are in the region, so that all
   workers of a target share them; zoned devices get commands. */
#ifndef ZONES_H
#define ZONES_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "zbd.h"

struct clone;
struct io;
struct io_source;
struct offset_gen;
struct verify;
struct wcount;
struct worker;

/* Tells the verification which bytes of a zone hold no data any more. zones.c calls it before the command of
   a reset is sent, and when the device has said where the write pointer is after a failed write. */
typedef void zones_forget(struct verify *v, uint32_t file, uint64_t offset, uint64_t bytes);

/* The zones of one file. */
struct file_zones {
	struct zone_use use;
	void *memory;          /* of zbd_set; owned */
	struct worker *worker; /* between zones_begin and zones_end, for the zones of a device; else NULL */
	zones_forget *forget;  /* NULL: the job does not verify */
	uint32_t file;         /* index in the job */
};

/* Allocates *zones, one for each file, if the job has zonemode=zbd; else it stays NULL. Returns false if
   memory is short; call zones_fini in any case. */
bool zones_init(struct file_zones **zones, const struct clone *c);
/* Returns whether some zones are those of a device. */
bool zones_send_commands(const struct file_zones *zones, uint32_t nfiles);
void zones_fini(struct file_zones *zones, uint32_t nfiles);
/* Gives a generator its zones, which must outlive it. */
void zones_set(struct file_zones *z, struct offset_gen *g);
/* From now on resets and finishes are counted in *cnt. */
void zones_count(struct io_source *s, const struct clone *c, struct wcount *cnt);
/* Reads the zones of devices, unless another worker uses them already. Call it before the first I/O, with
   NULL if the job does not verify. Returns false after clone_fail. */
bool zones_begin(struct worker *w, zones_forget *forget);
/* The worker has no I/O in flight any more. */
void zones_end(struct worker *w);
/* Call it when a read, a write or a trim has completed, or was dropped before it was sent (io->res is an
   error then). On a device it may send a command, and moves the write pointer. */
void zones_io_done(struct worker *w, const struct io *io);
/* Call it when the generator of a file has stopped. Returns why; a failure has been reported by clone_fail.
 */
enum zbd_stop zones_stopped(struct clone *c, const struct offset_gen *g, uint32_t file);

#endif
