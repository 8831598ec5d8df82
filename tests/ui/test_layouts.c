// Layouts over all sizes: rectangles never overlap, never leave the screen.
#include <check.h>

#include "ui/layout.h"

Suite *suite_layouts(void);

static bool overlap(struct rect a, struct rect b)
{
    return a.width > 0 && a.height > 0 && b.width > 0 && b.height > 0 && a.x < b.x + b.width && b.x < a.x + a.width &&
           a.y < b.y + b.height && b.y < a.y + a.height;
}

// One failing check is enough: a passing ck_assert costs too much for this many.
static void check_rects(struct rect outer, const struct rect *rects, int count)
{
    for (int i = 0; i < count; i++) {
        const struct rect *rect = &rects[i];
        bool sane = rect->width >= 0 && rect->height >= 0;
        if (sane && (rect->width == 0 || rect->height == 0))
            continue;
        if (!sane || rect->x < outer.x || rect->x + rect->width > outer.x + outer.width || rect->y < outer.y ||
            rect->y + rect->height > outer.y + outer.height)
            ck_abort_msg("%dx%d: rectangle %d leaves it", outer.width, outer.height, i);
        for (int j = 0; j < i; j++)
            if (overlap(*rect, rects[j]))
                ck_abort_msg("%dx%d: %d over %d", outer.width, outer.height, i, j);
    }
}

START_TEST(frames_fit_every_size)
{
    for (int width = 1; width <= 250; width++)
        for (int height = 1; height <= 80; height++)
            for (int strip = 0; strip < 2; strip++) {
                struct screen_frame frame = layout_frame(width, height, strip);
                struct rect rects[] = {frame.title, frame.body, frame.strip, frame.status};
                check_rects((struct rect){0, 0, width, height}, rects, 4);
            }
}
END_TEST

START_TEST(views_fit_every_body)
{
    for (int width = 1; width <= 250; width++)
        for (int height = 1; height <= 80; height++) {
            struct rect body = {0, 1, width, height};
            struct lesson_layout lesson = layout_lesson(body, height * 3);
            struct rect panes[] = {lesson.text, lesson.rule, lesson.source};
            check_rects(body, panes, lesson.tabs ? 1 : 3);
            struct step_layout step = layout_step(body, 32);
            struct rect steps[] = {step.timeline, step.caption, step.memory, step.rule, step.warps};
            check_rects(body, steps, 5);
            for (int rows = 0; rows < 40; rows += 13)
                for (int two = 0; two < 2; two++) {
                    struct banks_layout banks = layout_banks(body, rows, two, height < 24);
                    struct rect all[] = {banks.list_head, banks.list,   banks.caption, banks.map,
                                         banks.second,    banks.source, banks.detail};
                    check_rects(body, all, 7);
                    struct map_layout map = layout_map(banks.map, 32, rows & 1);
                    struct rect parts[] = {map.header, map.rows, map.hits};
                    check_rects(banks.map, parts, 3);
                }
        }
}
END_TEST

START_TEST(the_whole_heatmap_fits_80_by_24)
{
    struct screen_frame frame = layout_frame(80, 24, !layout_banks_compact(24));
    struct banks_layout banks = layout_banks(frame.body, 5, false, layout_banks_compact(24));
    struct map_layout map = layout_map(banks.map, 32, true);
    ck_assert_int_ge(banks.list.height, 2);
    ck_assert_int_ge(map.rows.height * map.lanes_per_row, 32);
    ck_assert_int_ge(map.cell, 2);
    ck_assert_int_eq(map.hits.height, 1);
}
END_TEST

Suite *suite_layouts(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tests = tcase_create("layouts");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, frames_fit_every_size);
    tcase_add_test(tests, views_fit_every_body);
    tcase_add_test(tests, the_whole_heatmap_fits_80_by_24);
    suite_add_tcase(suite, tests);
    return suite;
}
