// Which thread comes first where there are fewer processors than threads.
#ifndef BANKSHOT_BASE_PRIORITY_H
#define BANKSHOT_BASE_PRIORITY_H

// So many steps of nice below where the process began. Other programs, ptxas, come first, since each works on one
// processor only; then the blocks that are run for the modelled time, one after another; then all the other runs; then
// what somebody asks for in the end only. A step weighs 1.25 times the next: each of these weighs as much as all behind
// it together, so that ptxas has one of two processors for itself, and the blocks half of the other. Wider gaps would
// gain little here, and leave a grading next to nothing where other programs are busy.
enum { PRIORITY_MODEL = 3, PRIORITY_RUNS = 5, PRIORITY_BESIDE = 8 };

// The calling thread, and those that it starts from now on, come after others; a second call does not add to the first.
void priority_give_way(int steps);

#endif
