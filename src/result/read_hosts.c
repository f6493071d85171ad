/* read_hosts.c: reads fiord.hosts, the ranks of a run on several hosts. */
#include "hosts.h"
#include "read_parts.h"

void read_hosts(struct reader *rd, const struct read_object *fiord)
{
	struct json_iter it = read_array(rd, fiord, "hosts");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_host h = { 0 };

		if (!read_charge(rd, 4 * sizeof(h)) || !read_open_at(rd, &o, it.value, "hosts", i))
			return;
		read_figures(rd, &o, figures_host, &h);
		read_figures(rd, &o, figures_host_waves, &h);
		read_close(rd, &o);
		if (!rd->err)
			result_add_host(rd->r, &h);
	}
}
