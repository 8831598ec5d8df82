#include "lesson/names.h"

#include <string.h>

#include "record/counters.h"

static const char *const plain[] = {
#define N(name, meaning) #name,
#include "lesson/names.def"
#undef N
#define C(name, field) #name, "written_" #name,
#include "record/counters.def"
#undef C
    "hazard_race",
    "hazard_warp_race",
    "hazard_atomic_race",
    "hazard_missing_wait",
    "hazard_missing_barrier_after_wait",
    "hazard_async_overwrite",
    "hazard_global_race",
    "hazard_block_race",
    "hazard_uninitialised_shared",
    "hazard_uninitialised_global",
    "hazard_divergent_barrier",
    "hazard_uneven_barrier",
    "hazard_wrong_membermask",
    "hazard_shuffle_inactive",
};

static const char *const line_fields[] = {
#define L(name, meaning) #name,
#include "lesson/names.def"
#undef L
};

static const char *const accesses[] = {
#define A(name, meaning) #name,
#include "lesson/names.def"
#undef A
};

static const char *const diagnoses[] = {
#define D(name, meaning) name,
#include "lesson/names.def"
#undef D
#define H(id, name, meaning) name,
#include "hazard/hazards.def"
#undef H
};

static const char *const references[] = {
#define R(name, meaning) #name,
#include "lesson/names.def"
#undef R
};

static const char *const fills[] = {
#define F(name, meaning) #name,
#include "lesson/names.def"
#undef F
};

#define LIST(list) (*count = sizeof list / sizeof *list, list)

const char *const *names_plain(size_t *count)
{
    return LIST(plain);
}

const char *const *names_line_fields(size_t *count)
{
    return LIST(line_fields);
}

const char *const *names_access(size_t *count)
{
    return LIST(accesses);
}

const char *const *names_diagnoses(size_t *count)
{
    return LIST(diagnoses);
}

const char *const *names_references(size_t *count)
{
    return LIST(references);
}

const char *const *names_fills(size_t *count)
{
    return LIST(fills);
}

bool names_has(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}
