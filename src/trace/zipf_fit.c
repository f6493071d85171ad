#include "zipf_fit.h"

#include <math.h>
#include <string.h>

/* Ranks from 1 to EXACT_RANKS are computed one by one, higher ones in groups that grow by GROWTH. */
#define EXACT_RANKS 32
#define GROWTH      1.05
#define FIRST_STEP  0.02
#define LIKELY      1.92 /* half of the 95 % quantile of chi square with one degree of freedom */

/* What is observed, and what the fit must agree with. */
struct observed {
	double accesses, touched, touched_error /* a standard error */, most;
	double in_class[ZIPF_FIT_CLASSES], sample;
};

/* ---- the sample ---- */

static bool is_counted(const struct zipf_fit *z, uint64_t hash)
{
	return !z->halvings || hash << (64 - z->halvings) == 0;
}

static uint32_t find(const struct zipf_fit *z, uint64_t hash)
{
	uint32_t i = (uint32_t)(hash >> 40) % ZIPF_FIT_SLOTS;

	while (z->slot[i].count && z->slot[i].hash != hash)
		i = (i + 1) % ZIPF_FIT_SLOTS;
	return i;
}

/* Takes the address of a slot away, and moves those that follow it to where they are found. */
static void free_slot(struct zipf_fit *z, uint32_t i)
{
	z->slot[i].count = 0;
	z->addresses--;
	for (i = (i + 1) % ZIPF_FIT_SLOTS; z->slot[i].count; i = (i + 1) % ZIPF_FIT_SLOTS) {
		uint64_t hash = z->slot[i].hash, count = z->slot[i].count;
		uint32_t k;

		z->slot[i].count = 0;
		k = find(z, hash);
		z->slot[k].hash = hash;
		z->slot[k].count = count;
	}
}

static void halve(struct zipf_fit *z)
{
	z->halvings++;
	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++)
		while (z->slot[i].count && !is_counted(z, z->slot[i].hash))
			free_slot(z, i);
}

void zipf_fit_add(struct zipf_fit *z, uint64_t hash)
{
	uint32_t i;

	z->accesses++;
	if (!is_counted(z, hash))
		return;
	i = find(z, hash);
	if (!z->slot[i].count && ++z->addresses == ZIPF_FIT_MAX) {
		z->addresses--;
		halve(z);
		zipf_fit_add(z, hash);
		z->accesses--;
		return;
	}
	z->slot[i].hash = hash;
	z->slot[i].count++;
}

/* ---- classes of counts: 1, 2, 3, 4, up to 6, 8, 12, 16 ... ---- */

static unsigned class_of(uint64_t count)
{
	unsigned log2;

	if (count <= 4)
		return (unsigned)count - 1;
	log2 = 63u - (unsigned)__builtin_clzll(count - 1);
	return 2 * log2 + (count > (uint64_t)3 << (log2 - 1));
}

/* Returns the largest count of the class. */
static double class_end(unsigned i)
{
	return i < 4 ? i + 1 : ldexp(i % 2 ? 2 : 1.5, (int)(i / 2));
}

/* Estimates how many addresses were accessed. The total of accesses is known. A sample that has more than its
   share of them probably has more than its share of addresses, too; the regression estimator corrects that,
   the better the more alike the counts are. */
static void set_touched(struct observed *o, const struct zipf_fit *z)
{
	double sum = 0, squares = 0, per_address, outside = 1 - ldexp(1, -(int)z->halvings), variance = 0;

	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++) {
		sum += (double)z->slot[i].count;
		squares += (double)z->slot[i].count * (double)z->slot[i].count;
	}
	per_address = sum / squares;
	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++)
		if (z->slot[i].count)
			variance += pow(1 - per_address * (double)z->slot[i].count, 2) * outside;
	o->touched = ldexp(o->sample, (int)z->halvings) +
		     per_address * (o->accesses - ldexp(sum, (int)z->halvings));
	o->touched_error = ldexp(sqrt(variance), (int)z->halvings);
}

static void observe(struct observed *o, const struct zipf_fit *z, double most)
{
	memset(o, 0, sizeof(*o));
	o->accesses = (double)z->accesses;
	o->sample = z->addresses;
	set_touched(o, z);
	o->most = most > o->touched ? most : o->touched;
	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++)
		if (z->slot[i].count)
			o->in_class[class_of(z->slot[i].count)]++;
}

/* ---- ranks ---- */

struct ranks {
	double first, end, n; /* a group has the ranks from first to below end; n: there are not more */
};

static bool next_ranks(struct ranks *r)
{
	r->first = r->end;
	r->end = r->first <= EXACT_RANKS ? r->first + 1 : ceil(r->first * GROWTH);
	r->end = r->end < r->n + 1 ? r->end : r->n + 1;
	return r->first < r->n + 1;
}

/* Returns the weight k^-theta in the middle of the group. */
static double weight(const struct ranks *r, double theta)
{
	double middle = r->first <= EXACT_RANKS ? r->first : sqrt((r->first - 0.5) * (r->end - 0.5));

	return exp(-theta * log(middle));
}

static double sum_of_weights(double theta, double n)
{
	struct ranks r = { .end = 1, .n = n };
	double sum = 0;

	while (next_ranks(&r))
		sum += (r.end - r.first) * weight(&r, theta);
	return sum;
}

double zipf_fit_touched(double theta, double n, double accesses)
{
	struct ranks r = { .end = 1, .n = n };
	double scale = accesses / sum_of_weights(theta, n), touched = 0;

	while (next_ranks(&r))
		touched -= (r.end - r.first) * expm1(-scale * weight(&r, theta));
	return touched;
}

/* Returns the number of addresses with which as many are expected to be accessed as were. */
static double addresses_of(const struct observed *o, double theta)
{
	double low = log(o->touched), high = log(o->most);

	while (high - low > 1e-4) {
		double middle = (low + high) / 2;

		if (zipf_fit_touched(theta, exp(middle), o->accesses) < o->touched)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}

/* ---- the likelihood ---- */

/* Adds the probabilities of each class, with the expectation `mean`, times `times`. */
static void add_poisson(double *p, double mean, double times)
{
	double term = exp(-mean), most = mean + 12 * sqrt(mean) + 12;

	for (double k = 1; k <= most; k++) {
		term *= mean / k;
		p[class_of((uint64_t)k)] += times * term;
	}
}

/* The same for a large mean, by the normal distribution. */
static void add_normal(double *p, double mean, double times)
{
	double deviation = sqrt(2 * mean), least = mean - 6 * deviation, most = mean + 6 * deviation,
	       below = 0;

	for (unsigned i = class_of((uint64_t)least); i < ZIPF_FIT_CLASSES; i++) {
		double up_to = 1 - erfc((class_end(i) + 0.5 - mean) / deviation) / 2;

		p[i] += times * (up_to - below);
		below = up_to;
		if (class_end(i) > most)
			return;
	}
}

/* Sets the share of the accessed addresses that each class is expected to have. */
static void expect(double *p, const struct observed *o, double theta, double n)
{
	struct ranks r = { .end = 1, .n = n };
	double scale = o->accesses / sum_of_weights(theta, n), all = 0;

	memset(p, 0, ZIPF_FIT_CLASSES * sizeof(*p));
	while (next_ranks(&r)) {
		double mean = scale * weight(&r, theta);

		(mean < 300 ? add_poisson : add_normal)(p, mean, r.end - r.first);
	}
	for (unsigned i = 0; i < ZIPF_FIT_CLASSES; i++)
		all += p[i];
	for (unsigned i = 0; i < ZIPF_FIT_CLASSES; i++)
		p[i] /= all;
}

static double log_likelihood(const struct observed *o, double theta)
{
	double p[ZIPF_FIT_CLASSES], sum = 0;

	expect(p, o, theta, addresses_of(o, theta));
	for (unsigned i = 0; i < ZIPF_FIT_CLASSES; i++)
		if (o->in_class[i] > 0)
			sum += o->in_class[i] * log(p[i] > 1e-12 ? p[i] : 1e-12);
	return sum;
}

/* Where n reaches its limit, the likelihood has a second maximum; the first step is finer than its peaks. */
static double most_likely(const struct observed *o)
{
	double best = 0, most = -INFINITY;

	for (double step = FIRST_STEP; step > 0.0005; step /= 5) {
		double from = step < FIRST_STEP ? fmax(best - 5 * step, 0) : 0;
		double to =
			step < FIRST_STEP ? fmin(best + 5 * step, ZIPF_FIT_THETA_MAX) : ZIPF_FIT_THETA_MAX;

		for (double theta = from; theta < to + step / 2; theta += step) {
			double is = log_likelihood(o, theta);

			if (is > most) {
				most = is;
				best = theta;
			}
		}
	}
	return best;
}

/* Returns where the likelihood falls below `least` between theta and the end. */
static double bound(const struct observed *o, double theta, double end, double least)
{
	if (log_likelihood(o, end) >= least)
		return end;
	while (fabs(end - theta) > 0.001) {
		double middle = (theta + end) / 2;

		if (log_likelihood(o, middle) >= least)
			theta = middle;
		else
			end = middle;
	}
	return theta;
}

/* The likelihood takes the number of touched addresses for exact. Adds what its error does to theta. */
static void widen_interval(struct zipf_figures *f, const struct observed *o)
{
	struct observed fewer = *o;
	double by;

	fewer.touched -= 1.96 * o->touched_error;
	by = fabs(most_likely(&fewer) - f->theta);
	f->low = fmax(f->theta - hypot(f->theta - f->low, by), 0);
	f->high = fmin(f->theta + hypot(f->high - f->theta, by), ZIPF_FIT_THETA_MAX);
}

static unsigned set_shares(struct zipf_share *share, const struct observed *o, const struct zipf_figures *f)
{
	double p[ZIPF_FIT_CLASSES], observed = 0, fitted = 0;
	unsigned n = 0;

	expect(p, o, f->theta, f->addresses);
	for (unsigned i = 0; i < ZIPF_FIT_CLASSES; i++) {
		observed += o->in_class[i] / o->sample;
		fitted += p[i];
		share[i] = (struct zipf_share){ class_end(i), observed, fitted };
		n = o->in_class[i] > 0 ? i + 1 : n;
	}
	return n;
}

static double misfit(const struct observed *o, const struct zipf_figures *f)
{
	struct zipf_share share[ZIPF_FIT_CLASSES];
	unsigned n = set_shares(share, o, f);
	double most = 0;

	/* Beyond the largest count the difference only falls. */
	for (unsigned i = 0; i < n; i++)
		most = fmax(most, fabs(share[i].observed - share[i].fitted));
	return most;
}

static void add_evenness(struct zipf_figures *f, const struct zipf_fit *z)
{
	double sum = 0, even = 0, mean;

	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++)
		sum += (double)z->slot[i].count;
	mean = sum / z->addresses;
	for (uint32_t i = 0; i < ZIPF_FIT_SLOTS; i++)
		even += z->slot[i].count && fabs((double)z->slot[i].count - mean) < 1;
	f->repeats = 1 - z->addresses / sum;
	f->even = even / z->addresses;
}

/* Returns whether the accesses repeat addresses less often than draws that favour no address. */
static bool avoids_repeats(const struct observed *o)
{
	return zipf_fit_touched(0, o->most, o->accesses) < 0.97 * o->touched;
}

struct zipf_figures zipf_fit_figures(const struct zipf_fit *z, double most)
{
	struct zipf_figures f = { .known = false };
	struct observed o;
	double least;

	if (z->addresses < 2)
		return f;
	observe(&o, z, most);
	f.touched = o.touched;
	f.theta = avoids_repeats(&o) ? 0 : most_likely(&o);
	f.addresses = addresses_of(&o, f.theta);
	least = log_likelihood(&o, f.theta) - LIKELY;
	f.low = bound(&o, f.theta, 0, least);
	f.high = avoids_repeats(&o) ? 0 : bound(&o, f.theta, ZIPF_FIT_THETA_MAX, least);
	if (o.touched_error > 0 && !avoids_repeats(&o))
		widen_interval(&f, &o);
	f.misfit = misfit(&o, &f);
	add_evenness(&f, z);
	f.known = f.high - f.low <= 0.5;
	return f;
}

unsigned zipf_fit_shares(const struct zipf_fit *z, const struct zipf_figures *f,
			 struct zipf_share share[ZIPF_FIT_CLASSES])
{
	struct observed o;

	observe(&o, z, 0);
	return set_shares(share, &o, f);
}
