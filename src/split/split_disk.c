#include "split.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void split_disk_name(uint32_t dev, char *to, size_t size)
{
	unsigned major = dev >> 20, minor = dev & 0xfffff;
	char path[64], link[512];
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	n = readlink(path, link, sizeof(link) - 1);
	if (n > 0) {
		link[n] = '\0';
		snprintf(to, size, "%s", strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
	} else {
		snprintf(to, size, "%u:%u", major, minor);
	}
}
