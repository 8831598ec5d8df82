// Quiz answers are not written down anywhere: they are counted in a run of the kernel that the question names.
#ifndef BANKSHOT_GRADE_QUIZ_H
#define BANKSHOT_GRADE_QUIZ_H

#include "grade/grade.h"

// Compiles and runs the question's kernel on its size and evaluates its answer. In this process; see grade_start_quiz.
enum status quiz_answer(const struct lesson *lesson, size_t question, const struct grade_options *options,
                        double *answer, struct diagnostic *diagnostic);

// Whether the learner's words are the answer: a number with blanks or a unit around it, within half a percent.
// USAGE when there is no number in it.
enum status quiz_check(const char *text, double answer, bool *right, struct diagnostic *diagnostic);

#endif
