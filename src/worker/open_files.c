#include "file_set.h"

#include <stdlib.h>

bool open_files_init(struct open_files *s, uint32_t n)
{
	*s = (struct open_files){ .link = calloc((size_t)n + 1, sizeof(*s->link)) };
	return s->link;
}

void open_files_fini(struct open_files *s)
{
	free(s->link);
	*s = (struct open_files){ .link = NULL };
}

void open_files_remove(struct open_files *s, uint32_t file)
{
	struct open_files_link *l = &s->link[file];

	if (!l->older && s->oldest != file + 1)
		return;
	*(l->older ? &s->link[l->older - 1].newer : &s->oldest) = l->newer;
	*(l->newer ? &s->link[l->newer - 1].older : &s->newest) = l->older;
	*l = (struct open_files_link){ 0 };
}

void open_files_use(struct open_files *s, uint32_t file)
{
	open_files_remove(s, file);
	s->link[file].older = s->newest;
	*(s->newest ? &s->link[s->newest - 1].newer : &s->oldest) = file + 1;
	s->newest = file + 1;
}

uint32_t open_files_take(struct open_files *s)
{
	uint32_t file = s->oldest - 1;

	if (!s->oldest)
		return OPEN_FILES_NONE;
	open_files_remove(s, file);
	return file;
}
