// Counts of skipped checks by reason, in memory shared by all of the runner's processes.
#include "skip.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SKIP_REASONS = 32 };

static struct skip_counts {
    atomic_flag busy;
    int total;
    struct {
        char text[80];
        int times;
    } reasons[SKIP_REASONS];
} * skips;

bool skip_open(void)
{
    skips = mmap(NULL, sizeof *skips, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (skips == MAP_FAILED)
        skips = NULL;
    return skips != NULL;
}

void skip_check(const char *format, ...)
{
    char reason[sizeof skips->reasons[0].text];
    size_t i = 0;
    va_list args;
    if (!skips)
        return;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    while (atomic_flag_test_and_set(&skips->busy))
        ;
    skips->total++;
    while (i < SKIP_REASONS - 1 && skips->reasons[i].times && strcmp(skips->reasons[i].text, reason) != 0)
        i++;
    snprintf(skips->reasons[i].text, sizeof skips->reasons[i].text, "%s", reason);
    skips->reasons[i].times++;
    atomic_flag_clear(&skips->busy);
}

int skip_count(void)
{
    return skips ? skips->total : 0;
}

void skip_print(void)
{
    for (size_t i = 0; skips && i < SKIP_REASONS && skips->reasons[i].times; i++)
        printf("%6d skipped: %s\n", skips->reasons[i].times, skips->reasons[i].text);
}
