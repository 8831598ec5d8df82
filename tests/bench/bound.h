// What `make bench` is asked to keep: one line for each bound.
#ifndef BANKSHOT_TESTS_BOUND_H
#define BANKSHOT_TESTS_BOUND_H

#include <stdbool.h>
#include <stdio.h>

struct bounds {
    int kept, broken;
};

static inline void bound_judge(struct bounds *bounds, bool kept, const char *what, double measured, const char *unit,
                               const char *relation, double asked)
{
    printf("%s  %-58s %8.2f%s, asked %s %g%s\n", kept ? "PASS" : "OVER", what, measured, unit, relation, asked, unit);
    kept ? bounds->kept++ : bounds->broken++;
}

static inline void bound_at_most(struct bounds *bounds, const char *what, double measured, const char *unit,
                                 double asked)
{
    bound_judge(bounds, measured <= asked, what, measured, unit, "at most", asked);
}

static inline void bound_at_least(struct bounds *bounds, const char *what, double measured, const char *unit,
                                  double asked)
{
    bound_judge(bounds, measured >= asked, what, measured, unit, "at least", asked);
}

// The program's exit status.
static inline int bound_end(const struct bounds *bounds)
{
    printf("%d of %d bounds kept\n\n", bounds->kept, bounds->kept + bounds->broken);
    return bounds->broken ? 1 : 0;
}

#endif
