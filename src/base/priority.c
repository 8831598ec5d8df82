// Threads that give way to others.
#include "base/priority.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

// Nobody has given way before the first who does: that one sees where the process was put.
static int nice_at_first;
static pthread_once_t nice_looked_up = PTHREAD_ONCE_INIT;

static void look_up_nice(void)
{
    nice_at_first = getpriority(PRIO_PROCESS, (id_t)gettid());
}

void priority_give_way(int steps)
{
    id_t own = (id_t)gettid();
    pthread_once(&nice_looked_up, look_up_nice);
    if (getpriority(PRIO_PROCESS, own) >= nice_at_first + steps ||
        setpriority(PRIO_PROCESS, own, nice_at_first + steps))
        return; // it is there, or takes a little longer
}
