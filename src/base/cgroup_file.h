/* cgroup_file.h: writes the control files of a control group. */
#ifndef CGROUP_FILE_H
#define CGROUP_FILE_H

/* Writes text to dir/file in one call. Returns 0 or -errno. */
int cgroup_file_write(const char *dir, const char *file, const char *text);

#endif
