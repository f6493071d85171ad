/* zoned.h: zoned block devices (linux/blkzoned.h): their zones, and commands for them. */
#ifndef ZONED_H
#define ZONED_H

#include <stdbool.h>
#include <stdint.h>
#include "zbd.h"
#include "zone_table.h"

struct file;

/* In bytes. A device keeps no write pointer for a zone that is read-only or offline. Such a zone counts as
   full: nothing is written there, and a read-only one can be read. */
struct device_zone {
	uint64_t start, capacity, wp; /* wp: from the start */
	enum zoned_state state;
	bool conventional;
};

struct device_zones {
	uint64_t size;                 /* of a zone; 0: the device has none */
	uint32_t max_open, max_active; /* the device's limits; 0: none */
	uint64_t max_append; /* the most bytes of a zone append; 0: it takes none, or it is unknown */
	uint32_t n;
	struct device_zone *v;
};

/* Reads the zones of a block device, which is opened for reading, or those of a namespace by its character
   device. Returns 0 or -errno; call zoned_fini in any case. A device without zones has size 0. */
int zoned_read(struct device_zones *z, const char *path);
void zoned_fini(struct device_zones *z);
/* Returns the smaller of the limits on open and on active zones; 0: none. */
uint32_t zoned_limit(const struct device_zones *z);
/* Sets the table as the device is now. The caller holds the table's lock. Returns 0 or -errno; -ESTALE if the
   device has other zones than the table. */
int zoned_load(struct zone_table *t, const char *path);
/* Sends a command about whole zones of an open block device, or about one zone of an open namespace; start
   and len are bytes. ZONE_LOCATE is about one zone and sets as->wp and as->state. Returns 0 or -errno. */
int zoned_command(const struct file *f, enum zone_command c, uint64_t start, uint64_t len, struct zone *as);

#endif
