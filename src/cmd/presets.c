#include "presets.h"

#include <stddef.h>
#include <string.h>
#include "nearest.h"

#define PRESETS_MAX 64

/* clang-format off */
const struct preset presets[] = {
	{ "database", "a small database: random reads and writes, and a log with fdatasync",
	  "A commit waits for the fdatasync of the job log: its 99th percentile under 'sync' is the commit time that one "
	  "transaction in a hundred exceeds." },
	{ "desktop", "the four rows of CrystalDiskMark, reads and writes",
	  "SEQ1M-Q8T1 is the bandwidth that data sheets advertise. RND4K-Q1T1 decides how fast programs start: each of its "
	  "I/Os waits for the one before, so its IOPS are 1000 / mean latency in ms." },
	{ "disk", "is my disk OK? Reads alone, compared with disks of its class",
	  "The notes that begin with disk: compare each figure with what disks of its class usually show, say whether there "
	  "were stalls, and name what in this machine may explain an unusual figure.", preset_check_disk },
	{ "etcd", "the log of etcd: 2300-byte writes with fdatasync",
	  "etcd works well if the 99th percentile under 'sync' (fdatasync) is below 10 ms; above that, expect lost "
	  "heartbeats and leader elections." },
	{ "fioread", "random reads of a volume with a read cache, 1024 in flight",
	  "The read IOPS of the four workers together are the most that the volume serves at 1024 I/Os in flight; mean "
	  "latency = 1024 / IOPS, so it says nothing about smaller loads." },
	{ "fioreadwrite", "random reads of a cached volume, and limited writes to another",
	  "If writer1 reaches its 4 x 3200 IOPS, the volume has capacity to spare; compare reader1 with the preset fioread "
	  "to see how much the writes cost the reads." },
	{ "fiowrite", "random writes to a volume without cache, 1024 in flight",
	  "The write IOPS of the four workers together are the most that the volume accepts at 1024 I/Os in flight; mean "
	  "latency = 1024 / IOPS, so it says nothing about smaller loads." },
	{ "four-corners", "the four figures of a data sheet: sequential and random, reads and writes",
	  "Compare the bandwidth (BW) of seq-read and seq-write, and the IOPS of rand-read and rand-write, with the data "
	  "sheet; rand-write falls when an SSD runs out of erased blocks, so run it longer, too." },
	{ "latency", "the latency of a single I/O, reads and writes",
	  "The 50th percentile is the latency of the storage without a queue, its best; the 99.9th shows how often it "
	  "stalls. More I/Os in flight cannot make them smaller." },
	{ "mail", "a mail server: deliveries with fsync, and reads of messages",
	  "The write IOPS of deliver are deliveries per second; a sender waits for the latency of one write and, under "
	  "'sync', of one fsync." },
	{ "olap", "reports over large tables: four scans and a writer of temporary data",
	  "The size of a table divided by the read bandwidth (BW) of scan is the time of a full scan; if spill stays below "
	  "its 50 MiB/s, the scans leave too little for temporary data." },
	{ "oltp", "transactions: random 8 KiB, 70 % reads, at three loads",
	  "Choose the largest load whose 99th percentile of reads is short enough for you: its IOPS are the capacity for "
	  "transactions. If IOPS do not grow from one load to the next, only the latency does." },
	{ "precondition", "brings a drive into its working state; all its data is lost",
	  "Do not compare these figures: the job fill writes to a drive that may be empty. The write IOPS of random at its end "
	  "are close to what the drive sustains; measure now, before it recovers." },
	{ "quickstart", "a first run: random reads and writes on 64 MiB, six seconds",
	  "This load goes mostly to the page cache: its IOPS measure memory as much as the disk. Add --direct=1 to measure "
	  "the disk." },
	{ "volume-cached", "a cloud volume with a read cache: the same reads twice",
	  "The IOPS of second-pass divided by those of first-pass are what the cache is worth. If they are equal, there is "
	  "no cache, the file does not fit, or it was cached before." },
	{ "volume-uncached", "a cloud volume without cache: its limits, and its latency below them",
	  "Compare IOPS and bandwidth with the limits of the volume's type and of the machine: figures exactly at a limit "
	  "say which one applies. The latency jobs show one I/O at a time, far below it." },
	{ 0 },
};
/* clang-format on */

const struct preset *preset_find(const char *name)
{
	for (const struct preset *p = presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

const char *preset_text(const char *name)
{
	for (const struct preset_text *t = preset_texts; t->name; t++)
		if (!strcmp(t->name, name))
			return t->text;
	return NULL;
}

const char *preset_nearest(const char *name)
{
	const char *words[PRESETS_MAX + 1] = { 0 };

	for (size_t i = 0; i < PRESETS_MAX && presets[i].name; i++)
		words[i] = presets[i].name;
	return nearest_word(words, name);
}
