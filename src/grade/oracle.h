// Single elements of an output as the lesson's own reference makes them, at a size at which it cannot be run as a
// whole.
//
// The reference has to spread its work over blocks, each of which writes elements of its own that lie as those of the
// first block do, a fixed distance further for every column, row and layer of the grid: "one thread for each element of
// out" does. Which block an element belongs to is worked out from the first one and its neighbours, and holds only if
// that block really writes it.
#ifndef BANKSHOT_GRADE_ORACLE_H
#define BANKSHOT_GRADE_ORACLE_H

#include "grade/runner.h"

struct oracle;

// The reference of data's part, over the same inputs; data is bare. Runs the first blocks. NULL: the part has no
// reference of its own, or blocks of it do not tell single elements. Of several outputs the one that it is asked for is
// drawn by the runner's seed for turn 0; each turn has the next. All must last as long as the oracle.
struct oracle *oracle_new(struct runner *runner, const struct dataset *data, size_t turn);
void oracle_free(struct oracle *oracle);
// data asks it from now on, for `output`: dataset_judges, dataset_expect_some.
void oracle_serve(struct oracle *oracle, struct dataset *data);

#endif
