// The getters of facts.def, and the tables that find them by name.
#include "record/facts.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/balance.h"

// ---- getters

static double known(double value)
{
    return value > 0 ? value : NAN;
}

static double quotient(double part, double whole)
{
    return part > 0 && whole > 0 ? part / whole : NAN;
}

static double per(uint64_t count, uint64_t of)
{
    return of ? (double)count / (double)of : NAN;
}

static double sectors(const struct counters *counters, enum counter_kind kind)
{
    return per(counters->global[kind].sectors, counters->global[kind].requests);
}

static double wavefronts(const struct counters *counters, enum counter_kind kind)
{
    return per(counters->shared[kind].wavefronts, counters->shared[kind].instructions);
}

static double counted(const struct observation *o, uint64_t count)
{
    return o->counters ? (double)count : NAN;
}

static double launched(const struct observation *o, double value)
{
    return o->launch.block[0] ? value : NAN;
}

static double balance_of(const struct observation *o, enum balance_kind kind)
{
    return o->balance ? balance_share(o->balance, kind)
                      : balance_recorded(o->recording, launch_threads(&o->launch), kind);
}

static double all_hazards(const struct observation *o)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < HAZARD_KIND_COUNT; kind++)
        sum += o->hazards[kind];
    return (double)sum;
}

static const uint32_t ENDED_BY_FAULT = 0
#define ENDING(name, diagnosis, status, fault, meaning) | ((status) == STATUS_FAULT ? 1u << ENDING_##name : 0)
#include "record/facts.def"
#undef ENDING
    ;

static double ended(const struct observation *o, enum ending ending)
{
    return o->endings >> ending & 1;
}

enum { SHARED_WORDS = 1 << 16, HALF_WARP = SIM_LANES / 2 };

// Whether the lane before, or half a warp before, is at the same place: so it is in most rows and columns of a tile.
static bool repeats_lane(const struct recorded_access *access, uint32_t lane)
{
    const uint64_t *at = access->addresses;
    return (lane > 0 && access->mask >> (lane - 1) & 1 && at[lane] == at[lane - 1]) ||
           (lane >= HALF_WARP && access->mask >> (lane - HALF_WARP) & 1 && at[lane] == at[lane - HALF_WARP]);
}

// For each access of the recording: for a copy to shared memory that was read before it was overwritten, behind how
// many barriers, + 1. For all others 0.
static uint32_t *copies_read(const struct recording *recording)
{
    uint32_t *read = mem_alloc((recording->count + 1) * sizeof *read);
    uint32_t *writer = mem_alloc(SHARED_WORDS * sizeof *writer); // of each word, + 1
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        uint32_t mask = access->space == PTX_SHARED ? access->mask : 0;
        FOR_LANES (lane, mask)
            for (uint64_t at = access->addresses[lane], end = repeats_lane(access, lane) ? at : at + access->bytes;
                 at < end; at += BANK_BYTES) {
                uint32_t *word = &writer[at / BANK_BYTES % SHARED_WORDS];
                if (recorded_writes(access))
                    *word = (uint32_t)i + 1;
                else if (*word && !read[*word - 1])
                    read[*word - 1] = access->phase + 1;
            }
    }
    free(writer);
    return read;
}

// Of one warp: its waits that copies had come for, which copies came last, and the steps that read these.
struct arriving {
    size_t waits, steps, most_steps;
    uint32_t landed, read;
};

// Barriers that the block passed, up to its last access to shared memory, for each time that a warp waited and copies
// had arrived of which something was read: the barriers of a step, however long a step is. Who has several steps'
// copies under way before the first wait may wait for all of them there: the last steps then wait for nothing, and are
// steps all the same. NAN when no copy arrives.
static double barriers_per_arrival(const struct recording *recording)
{
    struct arriving warps[SIM_MAX_WARPS] = {0};
    size_t arrivals = 0, count = 0;
    uint32_t phase = 0;
    uint32_t *read = recording ? copies_read(recording) : NULL;
    for (size_t i = 0; recording && i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space != PTX_SHARED || access->warp >= SIM_MAX_WARPS)
            continue;
        phase = access->phase > phase ? access->phase : phase;
        if (!sim_is_copy(access->kind) || access->lands == UINT32_MAX || !read[i])
            continue;
        struct arriving *warp = &warps[access->warp];
        bool is_new = !warp->waits || warp->landed != access->lands;
        warp->waits += is_new;
        warp->steps = is_new ? 1 : warp->steps + (read[i] > warp->read);
        warp->read = is_new || read[i] > warp->read ? read[i] : warp->read;
        warp->landed = access->lands;
        warp->most_steps = warp->steps > warp->most_steps ? warp->steps : warp->most_steps;
    }
    for (size_t i = 0; i < SIM_MAX_WARPS; i++) {
        count += warps[i].waits > 0;
        arrivals += warps[i].waits ? warps[i].waits + warps[i].most_steps - 1 : 0;
    }
    free(read);
    return arrivals ? (double)phase * (double)count / (double)arrivals : (double)NAN;
}

// The turn in which the banks serve a lane.
static double access_turn(const struct recorded_access *access, uint32_t lane)
{
    struct bank_schedule schedule;
    struct bank_access compiled = access_banks(access, true);
    if (access->space != PTX_SHARED)
        return NAN;
    banks_schedule(&compiled, &schedule);
    return schedule.wavefront[lane] == UINT32_MAX ? (double)NAN : (double)schedule.wavefront[lane];
}

// ---- the tables

#define FACT(name, unit, value, meaning)                                                                               \
    static double fact_##name(const struct observation *o, const struct counters *c)                                   \
    {                                                                                                                  \
        (void)o, (void)c;                                                                                              \
        return (double)(value);                                                                                        \
    }
#define ENDED FACT
#define TIMED FACT
#include "record/facts.def"
#undef TIMED
#undef ENDED
#undef FACT

static const struct {
    bool timed, ended;
    double (*value)(const struct observation *o, const struct counters *c);
} fact_rows[] = {
#define FACT(name, unit, value, meaning) {false, false, fact_##name},
#define ENDED(name, unit, value, meaning) {false, true, fact_##name},
#define TIMED(name, unit, value, meaning) {true, false, fact_##name},
#include "record/facts.def"
#undef TIMED
#undef ENDED
#undef FACT
};

enum { FACT_COUNT = sizeof fact_rows / sizeof *fact_rows };

// Facts first, in the order of fact_rows; then the hazards by kind.
static struct fact_name plain_names[FACT_COUNT + HAZARD_KIND_COUNT] = {
#define FACT(name, unit, value, meaning) {#name, unit, meaning},
#define ENDED FACT
#define TIMED FACT
#include "record/facts.def"
#undef TIMED
#undef ENDED
#undef FACT
};

static const struct fact_name line_names[] = {
#define LINE(name, unit, value, meaning) {#name, unit, meaning},
#include "record/facts.def"
#undef LINE
};

static const struct fact_name lane_names[] = {
#define LANE(name, unit, who, value, meaning) {#name, unit, meaning},
#include "record/facts.def"
#undef LANE
};

static const struct fact_name ending_names[] = {
#define ENDING(name, diagnosis, status, fault, meaning) {diagnosis, "", meaning},
#include "record/facts.def"
#undef ENDING
};

// hazard_missing_wait for "missing-wait"
static void name_hazards(void)
{
    static const char *const meanings[] = {
#define H(name, text, meaning, family, message) meaning,
#include "hazard/hazards.def"
#undef H
    };
    static char names[HAZARD_KIND_COUNT][64];
    for (int kind = 0; kind < HAZARD_KIND_COUNT; kind++) {
        snprintf(names[kind], sizeof names[kind], "hazard_%s", hazard_name((enum hazard_kind)kind));
        for (char *at = names[kind]; *at; at++)
            *at = *at == '-' ? '_' : *at;
        plain_names[FACT_COUNT + kind] = (struct fact_name){names[kind], "hazards", meanings[kind]};
    }
}

#define NAMES(table)                                                                                                   \
    (struct fact_names)                                                                                                \
    {                                                                                                                  \
        table, sizeof(table) / sizeof *(table)                                                                         \
    }

struct fact_names facts_names(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, name_hazards);
    return NAMES(plain_names);
}

struct fact_names facts_line_names(void)
{
    return NAMES(line_names);
}

struct fact_names facts_lane_names(void)
{
    return NAMES(lane_names);
}

struct fact_names facts_ending_names(void)
{
    return NAMES(ending_names);
}

// ---- by name

static size_t place_of(struct fact_names names, const char *name)
{
    size_t at = 0;
    while (at < names.count && strcmp(names.items[at].name, name) != 0)
        at++;
    return at;
}

bool facts_timed(const char *name)
{
    size_t at = place_of(facts_names(), name);
    return at < FACT_COUNT && fact_rows[at].timed;
}

bool facts_ended(const char *name)
{
    size_t at = place_of(facts_names(), name);
    return at < FACT_COUNT && fact_rows[at].ended;
}

bool facts_value(const struct observation *observed, const char *name, double *value)
{
    static const struct counters none;
    const struct counter_table *table = observed->counters;
    size_t at = place_of(facts_names(), name);
    bool is_written = strncmp(name, "written_", 8) == 0;
    uint64_t count;
    if (at < FACT_COUNT)
        *value = fact_rows[at].value(observed, table ? &table->compiled : &none);
    else if (at < FACT_COUNT + HAZARD_KIND_COUNT)
        *value = (double)observed->hazards[at - FACT_COUNT];
    else if (counters_get(!table       ? &none
                          : is_written ? &table->written
                                       : &table->compiled,
                          name + (is_written ? 8 : 0), &count))
        *value = counted(observed, count);
    else
        return false;
    return true;
}

bool facts_of_line(const struct counter_line *line, const char *name, double *value)
{
    const double values[] = {
#define LINE(name, unit, value, meaning) (double)(value),
#include "record/facts.def"
#undef LINE
    };
    size_t at = place_of(facts_line_names(), name);
    *value = at < sizeof values / sizeof *values ? values[at] : NAN;
    return !isnan(*value);
}

bool facts_of_lane(const struct recorded_access *access, double number, const char *name, double *value)
{
    enum { WARP, ANY, ACTIVE };
    bool is_lane = number >= 0 && number < (double)WARP_LANES;
    uint32_t lane = is_lane ? (uint32_t)number : 0;
    bool is_active = is_lane && (access->mask >> lane & 1);
    *value = NAN;
#define LANE(name_, unit, who, value_, meaning)                                                                        \
    if (strcmp(name, #name_) == 0) {                                                                                   \
        if (who == WARP || (who == ANY ? is_lane : is_active))                                                         \
            *value = (double)(value_);                                                                                 \
        return true;                                                                                                   \
    }
#include "record/facts.def"
#undef LANE
    return false;
}

// ---- endings

enum ending ending_of(enum status status, enum sim_fault_kind fault)
{
    static const struct {
        enum status status;
        enum sim_fault_kind fault;
    } rows[] = {
#define ENDING(name, diagnosis, status, fault, meaning) {status, fault},
#include "record/facts.def"
#undef ENDING
    };
    size_t at = 0;
    while (at < ENDINGS && (rows[at].status != status || (status == STATUS_FAULT && rows[at].fault != fault)))
        at++;
    return status == STATUS_FAULT && at == ENDINGS ? ENDING_FAULT : (enum ending)at;
}

const char *ending_diagnosis(enum ending ending)
{
    return ending < ENDINGS ? ending_names[ending].name : "";
}
