// The names that lessons use, gathered from the tables that own them.
#include "lesson/names.h"

#include <string.h>

#include "record/facts.h"

static const struct fact_name common_diagnoses[] = {
#define D(name, meaning) {name, "", meaning},
#include "lesson/names.def"
#undef D
#define H(id, name, meaning, family, message) {name, "", meaning},
#include "hazard/hazards.def"
#undef H
};

static const struct fact_name reference_names[] = {
#define R(name, moves, adds, meaning) {#name, "", meaning},
#include "lesson/names.def"
#undef R
};

static const struct fact_name fill_names[] = {
#define F(name, fill, meaning) {#name, "", meaning},
#include "lesson/names.def"
#undef F
};

static const char *const counter_names[] = {
#define C(name, field) #name, "written_" #name,
#include "record/counters.def"
#undef C
};

#define NAMES(table)                                                                                                   \
    (struct fact_names)                                                                                                \
    {                                                                                                                  \
        table, sizeof(table) / sizeof *(table)                                                                         \
    }

struct fact_names names_table(enum names_kind kind)
{
    switch (kind) {
    case NAMES_PLAIN:
        return facts_names();
    case NAMES_LINE:
        return facts_line_names();
    case NAMES_LANE:
        return facts_lane_names();
    case NAMES_DIAGNOSES:
        return NAMES(common_diagnoses);
    case NAMES_REFERENCES:
        return NAMES(reference_names);
    case NAMES_FILLS:
        return NAMES(fill_names);
    }
    return (struct fact_names){0};
}

void names_add(struct names *names, const char *name)
{
    if (names->count < sizeof names->items / sizeof *names->items)
        names->items[names->count++] = name;
}

static void add_all(struct names *names, struct fact_names all)
{
    for (size_t i = 0; i < all.count; i++)
        names_add(names, all.items[i].name);
}

void names_collect(struct names *names, enum names_kind kind)
{
    add_all(names, names_table(kind));
    if (kind == NAMES_DIAGNOSES)
        add_all(names, facts_ending_names());
    for (size_t i = 0; kind == NAMES_PLAIN && i < sizeof counter_names / sizeof *counter_names; i++)
        names_add(names, counter_names[i]);
}

bool names_have(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

bool names_known(enum names_kind kind, const char *name)
{
    struct names names = {0};
    names_collect(&names, kind);
    return names_have(&names, name);
}
