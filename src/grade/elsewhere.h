// Sizes that a lesson does not have, and its page promises: other_sizes in lesson.cfg. A kernel that is right at all of
// the lesson's own by luck, or because it looks at them, is wrong at one of these.
#ifndef BANKSHOT_GRADE_ELSEWHERE_H
#define BANKSHOT_GRADE_ELSEWHERE_H

#include "grade/run.h"

// Sizes at which something that follows from the sizes comes out as at none of the lesson's own (model/decisions.h), of
// all values of one variable at a time, up to a thousand, of some in which one is as large as another or twice as
// large, and of a hundred drawn by the seed; and at least one that was drawn, whatever comes out there. Behind them
// some that are small, next to a power of two or a little beyond or short of a tile, the launch's own mostly: where
// edges lie close together; of one each variable is one beyond, of another one short. And one with more than 16 bits,
// where the lesson has such. A grading runs them all.
enum { ELSEWHERE_MOST = 13 };
size_t elsewhere_find(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      const struct lesson_part *part, struct lesson_other_size sizes[ELSEWHERE_MOST]);
// Sizes at which blocks are looked at briefly (run_brief), one of each kind where there are such: between the others
// and the size that is modelled, and with one variable far larger than it is at either, then with another one. Of many
// that are drawn, those at which something comes out as at none of `seen`, or any. Variables that are small on a GPU,
// too, stay within other_sizes, and what makes blocks longer stays as small as keeps them short; but for the last kind,
// of which one long block is run in a small grid, where that takes no longer than the others. seen: sizes that ran,
// besides the part's own; longest: the work (sim_result) that a block was at the last of these. length: how many times
// as many a block of the size may take. decides: a predicate comes out there as at none of `seen`.
// WIDE: where blocks are short, one variable has more than 24 bits, and the others are small.
enum elsewhere_look {
    ELSEWHERE_BETWEEN,
    ELSEWHERE_FAR,
    ELSEWHERE_FAR_TOO,
    ELSEWHERE_LONG,
    ELSEWHERE_WIDE,
    ELSEWHERE_LOOKS
};
struct elsewhere_large {
    struct lesson_other_size size;
    enum elsewhere_look look;
    double length;
    bool decides;
};
size_t elsewhere_find_large(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                            const struct lesson_part *part, const struct lesson_other_size *seen, size_t seen_count,
                            uint64_t longest, struct elsewhere_large sizes[ELSEWHERE_LOOKS]);
// One, drawn.
void elsewhere_draw(const struct lesson_part *part, uint64_t *random, struct lesson_other_size *other);

#endif
