// Sizes that a lesson does not have, and its page promises: other_sizes in lesson.cfg. A kernel that is right at all of
// the lesson's own by luck, or because it looks at them, is wrong at one of these.
#ifndef BANKSHOT_GRADE_ELSEWHERE_H
#define BANKSHOT_GRADE_ELSEWHERE_H

#include "grade/run.h"

// Sizes at which something that follows from the sizes comes out as at none of the lesson's own (model/decisions.h), of
// all values of one variable at a time, up to a thousand, of some in which one is as large as another or twice as
// large, and of a hundred drawn by the seed; and at least one that was drawn, whatever comes out there. A grading runs
// them all.
enum { ELSEWHERE_MOST = 3 };
size_t elsewhere_find(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      const struct lesson_part *part, struct lesson_other_size sizes[ELSEWHERE_MOST]);
// One, drawn.
void elsewhere_draw(const struct lesson_part *part, uint64_t *random, struct lesson_other_size *other);

#endif
