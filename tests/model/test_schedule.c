#include <check.h>
#include <stdio.h>
#include <string.h>

#include "model/schedule.h"

Suite *suite_schedule(void);

enum { MOST = 64 };

// One letter of a program: L global load, N one of what nobody writes, S shared load, s shared store, g global store, F
// fp32, P a comparison, B barrier, C control.
static enum replay_kind kind_of(char letter)
{
    switch (letter) {
    case 'L':
    case 'N':
        return REPLAY_GLOBAL_LOAD;
    case 'S':
        return REPLAY_SHARED_LOAD;
    case 's':
        return REPLAY_SHARED_STORE;
    case 'g':
        return REPLAY_GLOBAL_STORE;
    case 'B':
        return REPLAY_BARRIER;
    case 'C':
        return REPLAY_CONTROL;
    default:
        return REPLAY_FP32;
    }
}

struct line {
    char letter;
    int result, sources[2]; // -1: none
};

// The order after scheduling, as indices. A second warp that goes the same way, after one that goes less far, takes the
// same order with its own data.
// most: registers of a thread, 0: no limit; each holds a word.
static void schedule_within(const struct line *lines, size_t count, size_t window, uint32_t most, uint32_t order[MOST])
{
    struct replay_inst insts[MOST] = {{0}};
    struct replay_step steps[MOST] = {{0}}, again[MOST] = {{0}}, less[MOST];
    ck_assert_uint_le(count, MOST);
    for (size_t i = 0; i < count; i++) {
        insts[i].kind = kind_of(lines[i].letter);
        insts[i].readonly = lines[i].letter == 'N';
        insts[i].compares = lines[i].letter == 'P';
        if (lines[i].result >= 0)
            insts[i].results[insts[i].result_count++] = (uint16_t)lines[i].result;
        for (int k = 0; k < 2; k++)
            if (lines[i].sources[k] >= 0)
                insts[i].sources[insts[i].source_count++] = (uint16_t)lines[i].sources[k];
        steps[i].inst = again[i].inst = (uint32_t)i;
        again[i].first = lines[i].letter == 'B' ? 0 : (uint32_t)i + 100; // a barrier's is its number
    }
    memcpy(less, again, sizeof less);
    uint8_t words[REPLAY_MAX_REGISTERS];
    memset(words, 1, sizeof words);
    const struct schedule_registers registers = {.most = most, .words = words};
    struct scheduler *scheduler = scheduler_new(insts, window, &registers);
    schedule_steps(scheduler, steps, count);
    schedule_steps(scheduler, less, count - 1);
    schedule_steps(scheduler, again, count);
    scheduler_free(scheduler);
    for (size_t i = 0; i < count; i++) {
        order[i] = steps[i].inst;
        ck_assert_uint_eq(again[i].inst, order[i]);
        ck_assert_uint_eq(again[i].first, lines[order[i]].letter == 'B' ? 0 : order[i] + 100);
    }
}

static void schedule(const struct line *lines, size_t count, size_t window, uint32_t order[MOST])
{
    schedule_within(lines, count, window, 0, order);
}

static void expect(const uint32_t *order, const char *expected)
{
    char got[MOST * 3 + 1] = "";
    for (size_t i = 0; i < (strlen(expected) + 1) / 2; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), i ? " %u" : "%u", order[i]);
    ck_assert_str_eq(got, expected);
}

static const struct line two_loads[] = {
    {'L', 1, {0, -1}},
    {'F', 2, {1, -1}},
    {'L', 3, {0, -1}},
    {'F', 4, {3, -1}},
};

START_TEST(loads_move_ahead_of_the_users_of_others)
{
    uint32_t order[MOST];
    schedule(two_loads, 4, 16, order);
    expect(order, "0 2 1 3");
}
END_TEST

// Two words fit beside the address and what ptxas keeps for itself.
START_TEST(no_more_is_loaded_at_once_than_registers_hold)
{
    static const struct line lines[] = {
        {'L', 1, {0, -1}}, {'F', 2, {1, -1}}, {'L', 3, {0, -1}}, {'F', 4, {3, -1}},
        {'S', 5, {0, -1}}, {'F', 6, {5, -1}}, {'L', 7, {0, -1}}, {'F', 8, {7, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 8, 16, order);
    expect(order, "0 2 6 4 1 3 5 7");
    schedule_within(lines, 8, 16, 9, order);
    expect(order, "0 2 1 6 3 4 5 7");
}
END_TEST

// Sums of two come before what is made of them, until registers are full.
START_TEST(no_more_is_computed_ahead_than_registers_hold)
{
    enum { PAIRS = 12 };
    struct line lines[2 * PAIRS];
    uint32_t order[MOST];
    for (int i = 0; i < PAIRS; i++) {
        lines[2 * i] = (struct line){'F', 2 * i + 1, {0, -1}};
        lines[2 * i + 1] = (struct line){'F', 2 * i + 2, {2 * i + 1, -1}};
    }
    for (uint32_t most = 0; most <= 8; most += 8) {
        size_t ahead = 0;
        schedule_within(lines, sizeof lines / sizeof *lines, 2 * PAIRS, most, order);
        while (order[ahead] % 2 == 0)
            ahead++;
        ck_assert_uint_eq(ahead, most ? most : PAIRS);
    }
}
END_TEST

START_TEST(a_comparison_that_guards_wait_for_comes_early)
{
    static const struct line program[] = {{'F', 1, {0, -1}}, {'F', 2, {1, -1}}, {'P', 3, {0, -1}}};
    uint32_t order[MOST];
    schedule(program, 3, 64, order);
    expect(order, "2 0 1");
}
END_TEST

START_TEST(a_window_of_one_leaves_the_order)
{
    uint32_t order[MOST];
    schedule(two_loads, 4, 1, order);
    expect(order, "0 1 2 3");
    schedule(two_loads, 4, 0, order);
    expect(order, "0 1 2 3");
}
END_TEST

START_TEST(nothing_crosses_a_barrier)
{
    static const struct line lines[] = {
        {'L', 1, {0, -1}}, {'F', 2, {1, -1}}, {'B', -1, {-1, -1}}, {'L', 3, {0, -1}}, {'F', 4, {3, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 5, 16, order);
    expect(order, "0 1 2 3 4");
}
END_TEST

// ptxas moves ld.global.nc above stores and barriers; all else behind a barrier stays there.
START_TEST(loads_of_what_nobody_writes_pass_stores_and_barriers)
{
    static const struct line lines[] = {
        {'F', 2, {1, -1}}, {'s', -1, {2, -1}},  {'B', -1, {-1, -1}}, {'S', 5, {0, -1}}, {'N', 3, {0, -1}},
        {'g', -1, {5, 3}}, {'B', -1, {-1, -1}}, {'N', 4, {0, -1}},   {'F', 6, {4, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 9, 16, order);
    expect(order, "4 7 0 1 2 3 5 6 8");
}
END_TEST

// In basic blocks, that is.
START_TEST(no_load_passes_a_barrier_behind_a_branch)
{
    static const struct line lines[] = {
        {'C', -1, {1, -1}}, {'s', -1, {2, -1}}, {'B', -1, {-1, -1}}, {'N', 3, {0, -1}}, {'F', 4, {3, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 5, 16, order);
    expect(order, "0 1 2 3 4");
}
END_TEST

START_TEST(a_load_stays_behind_a_store_to_its_memory_only)
{
    static const struct line same[] = {{'F', 2, {1, -1}}, {'s', -1, {2, -1}}, {'S', 3, {0, -1}}, {'F', 4, {3, -1}}};
    static const struct line other[] = {{'F', 2, {1, -1}}, {'s', -1, {2, -1}}, {'L', 3, {0, -1}}, {'F', 4, {3, -1}}};
    uint32_t order[MOST];
    schedule(same, 4, 16, order);
    expect(order, "0 1 2 3");
    schedule(other, 4, 16, order);
    expect(order, "2 0 3 1");
}
END_TEST

// A result that several read and a later load overwrites: the load stays behind all of them, not the last alone.
START_TEST(a_write_stays_behind_every_earlier_reader)
{
    static const struct line lines[] = {
        {'L', 1, {0, -1}}, {'F', 3, {1, 9}}, {'F', 4, {2, 9}}, {'L', 9, {0, -1}}, {'F', 5, {9, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 5, 16, order);
    expect(order, "0 1 2 3 4");
}
END_TEST

START_TEST(a_store_stays_behind_every_earlier_load_of_its_memory)
{
    static const struct line lines[] = {
        {'L', 1, {0, -1}},  {'S', 2, {1, -1}}, {'S', 3, {0, -1}},
        {'s', -1, {4, -1}}, {'S', 5, {0, -1}}, {'F', 6, {5, -1}},
    };
    uint32_t order[MOST];
    schedule(lines, 6, 16, order);
    expect(order, "0 1 2 3 4 5");
}
END_TEST

// More predecessors than a node has room for: it goes when nothing else is left in front of it.
START_TEST(an_instruction_with_very_many_predecessors_waits_for_all)
{
    struct line lines[MOST];
    uint32_t order[MOST];
    for (int i = 0; i < MOST - 2; i++)
        lines[i] = (struct line){'F', 1 + i, {0, -1}};
    lines[MOST - 2] = (struct line){'L', 0, {-1, -1}};
    lines[MOST - 1] = (struct line){'F', MOST, {0, -1}};
    schedule(lines, MOST, MOST, order);
    ck_assert_uint_eq(order[MOST - 2], MOST - 2);
    ck_assert_uint_eq(order[MOST - 1], MOST - 1);
}
END_TEST

// Whatever the window: every instruction once, each behind those whose results it reads or overwrites.
START_TEST(dependences_hold_in_random_programs)
{
    static const char letters[] = "LSsgFFFFCBN";
    uint64_t state = (uint64_t)_i * 77 + 5;
    struct line lines[MOST];
    uint32_t order[MOST], place[MOST];
    bool seen[MOST] = {false};
    for (int i = 0; i < MOST; i++) {
        int values[4];
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            values[k] = (int)(state >> 40 & 0xffff);
        }
        char letter = letters[values[0] % 11];
        bool writes = strchr("LSFN", letter) != NULL;
        lines[i] = (struct line){letter, writes ? values[1] % 12 : -1, {values[2] % 12, values[3] % 12}};
    }
    schedule(lines, MOST, (size_t)_i % 20 + 2, order);
    for (uint32_t i = 0; i < MOST; i++) {
        ck_assert(!seen[order[i]]);
        seen[order[i]] = true;
        place[order[i]] = i;
    }
    for (int later = 0; later < MOST; later++)
        for (int first = 0; first < later; first++) {
            const struct line *a = &lines[first], *b = &lines[later];
            bool reads = a->result >= 0 && (b->sources[0] == a->result || b->sources[1] == a->result);
            bool overwrites = b->result >= 0 && a->result == b->result;
            bool read_before = b->result >= 0 && (a->sources[0] == b->result || a->sources[1] == b->result);
            bool fence = (a->letter == 'B' && b->letter != 'N' && b->letter != 'F') || b->letter == 'B';
            if (reads || overwrites || read_before || fence)
                ck_assert_msg(place[first] < place[later], "program %d: %d (%c) went behind %d (%c)", _i, first,
                              a->letter, later, b->letter);
        }
}
END_TEST

Suite *suite_schedule(void)
{
    Suite *suite = suite_create("schedule");
    TCase *tests = tcase_create("schedule");
    tcase_add_test(tests, loads_move_ahead_of_the_users_of_others);
    tcase_add_test(tests, no_more_is_loaded_at_once_than_registers_hold);
    tcase_add_test(tests, no_more_is_computed_ahead_than_registers_hold);
    tcase_add_test(tests, a_comparison_that_guards_wait_for_comes_early);
    tcase_add_test(tests, a_window_of_one_leaves_the_order);
    tcase_add_test(tests, nothing_crosses_a_barrier);
    tcase_add_test(tests, loads_of_what_nobody_writes_pass_stores_and_barriers);
    tcase_add_test(tests, no_load_passes_a_barrier_behind_a_branch);
    tcase_add_test(tests, a_load_stays_behind_a_store_to_its_memory_only);
    tcase_add_test(tests, a_write_stays_behind_every_earlier_reader);
    tcase_add_test(tests, a_store_stays_behind_every_earlier_load_of_its_memory);
    tcase_add_test(tests, an_instruction_with_very_many_predecessors_waits_for_all);
    tcase_add_loop_test(tests, dependences_hold_in_random_programs, 0, 50);
    suite_add_tcase(suite, tests);
    return suite;
}
