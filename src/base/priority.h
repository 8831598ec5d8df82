// Which thread comes first where there are fewer processors than threads.
#ifndef BANKSHOT_BASE_PRIORITY_H
#define BANKSHOT_BASE_PRIORITY_H

// So many steps of nice below where the process began. Other programs, ptxas, come first, since each works on one
// processor only; then the blocks that are run for the modelled time, one after another; then all the other runs; then
// what somebody asks for in the end only. The gaps are so wide that on two processors the first two of these have one
// each, and the others what is left.
enum { PRIORITY_MODEL = 5, PRIORITY_RUNS = 8, PRIORITY_BESIDE = 12 };

// The calling thread, and those that it starts from now on, come after others; a second call does not add to the first.
void priority_give_way(int steps);

#endif
