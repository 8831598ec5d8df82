// Redraw, and key to screen, of every view at 200 x 60. Status 1 if a bound is not kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/fake_lab.h"
#include "base/text.h"
#include "bound.h"

enum { ROUNDS = 100, REDRAW_MS = 10, KEY_MS = 30, LONG_LINES = 5000, LONG_MS = 20 };

// The processor's time: what others run on the machine is not the screen's.
static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double redraw_ms(struct fake_lab *lab)
{
    double start = now_ms();
    for (int i = 0; i < ROUNDS; i++)
        app_draw(&lab->app);
    return (now_ms() - start) / (double)ROUNDS;
}

static double key_ms(struct fake_lab *lab)
{
    double start = now_ms();
    for (int i = 0; i < ROUNDS; i++) {
        app_key(&lab->app, i % 2 ? 'k' : 'j');
        app_draw(&lab->app);
    }
    return (now_ms() - start) / (double)ROUNDS;
}

// In a source that is the exercise's over and over.
static double long_source_ms(void)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 200, 60, false, false);
    fake_lab_set(&lab, FAKE_PADDED);
    struct ui_lesson *lesson = app_lesson(&lab.app);
    struct text text = {0};
    for (size_t lines = 0; lines < LONG_LINES;) {
        text_puts(&text, lesson->source);
        for (const char *at = lesson->source; (at = strchr(at, '\n')) != NULL; at++)
            lines++;
    }
    free(lesson->source);
    lesson->source = text.data;
    lab.app.view = VIEW_LESSON;
    lab.app.source_pane = true;
    double key = key_ms(&lab);
    fake_lab_close(&lab);
    return key;
}

int main(void)
{
    struct bounds bounds = {0};
    double worst_redraw = 0, worst_key = 0;
    printf("screen at 200 x 60      redraw   key to screen\n");
    for (int view = 0; view < VIEW_COUNT; view++) {
        struct fake_lab lab;
        fake_lab_open(&lab, 200, 60, false, false);
        fake_lab_set(&lab, FAKE_PADDED);
        lab.app.view = (enum view)view;
        double redraw = redraw_ms(&lab), key = key_ms(&lab);
        printf("  %-18s %7.2f ms %12.2f ms\n", view_name((enum view)view), redraw, key);
        worst_redraw = redraw > worst_redraw ? redraw : worst_redraw;
        worst_key = key > worst_key ? key : worst_key;
        fake_lab_close(&lab);
    }
    printf("\n");
    bound_at_most(&bounds, "redraw of the slowest view", worst_redraw, " ms", REDRAW_MS);
    bound_at_most(&bounds, "key to screen of the slowest view", worst_key, " ms", KEY_MS);
    bound_at_most(&bounds, "key to screen in a source of 5,000 lines", long_source_ms(), " ms", LONG_MS);
    return bound_end(&bounds);
}
