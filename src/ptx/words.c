// The vocabulary: maps of opcodes, suffixes and special registers, filled once, and the names of the last two.
#include "ptx/words.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/map.h"
#include "ptx/forms.h"

enum { MOST_PARTS = 5 }; // of an opcode: cp.async.bulk.prefetch.tensor

static pthread_once_t words_known = PTHREAD_ONCE_INIT;
static struct map opcodes = map_of(struct ptx_word), suffixes = map_of(struct ptx_word),
                  special_words = map_of(struct ptx_word);

// The modifiers that have a number of their own, then every other word of a form, numbered as they come.
enum { MODIFIERS_MAX = 512, MODIFIER_SIZE = 48 };
static char modifiers[MODIFIERS_MAX][MODIFIER_SIZE] = {
#define M(name, text) [PTX_MOD_##name] = text,
#include "ptx/modifiers.def"
#undef M
};
static unsigned modifier_count = PTX_MOD_COUNT;
static struct map modifier_names = map_of(bool); // those in modifiers, while these grow

static const char *const specials[PTX_SPECIAL_COUNT] = {
    [PTX_SPECIAL_NONE] = "",
#define S(name, text, type) [PTX_SPECIAL_##name] = text,
#include "ptx/specials.def"
#undef S
};

// The first meaning of a word counts.
static void word_add(struct map *words, const char *text, struct ptx_word word)
{
    bool fresh;
    struct ptx_word *known = map_add_bytes(words, text, strlen(text), &fresh);
    if (fresh)
        *known = word;
}

static void add_spaces(void)
{
    static const struct {
        const char *text;
        enum ptx_space space;
        enum ptx_modifier modifier;
    } spaces[] = {
        {"global", PTX_GLOBAL, PTX_MOD_NONE},
        {"shared", PTX_SHARED, PTX_MOD_NONE},
        {"shared::cta", PTX_SHARED, PTX_MOD_NONE},
        {"shared::cluster", PTX_SHARED_CLUSTER, PTX_MOD_NONE},
        {"local", PTX_LOCAL, PTX_MOD_NONE},
        {"const", PTX_CONST, PTX_MOD_NONE},
        {"param", PTX_PARAM, PTX_MOD_NONE},
        {"param::entry", PTX_PARAM, PTX_MOD_PARAM__ENTRY},
        {"param::func", PTX_PARAM, PTX_MOD_PARAM__FUNC},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        word_add(&suffixes, spaces[i].text, (struct ptx_word){PTX_WORD_SPACE, spaces[i].space, spaces[i].modifier});
}

static void add_modifier_name(const char *text, size_t length)
{
    bool fresh;
    map_add_bytes(&modifier_names, text, length, &fresh);
    if (!fresh)
        return;
    assert(modifier_count < MODIFIERS_MAX && length < MODIFIER_SIZE);
    memcpy(modifiers[modifier_count++], text, length);
}

static void know_words(void)
{
    for (unsigned i = 1; i < PTX_OP_COUNT; i++)
        word_add(&opcodes, ptx_opcode_name((enum ptx_opcode)i), (struct ptx_word){.value = i});
    add_spaces();
    for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
        word_add(&suffixes, ptx_type_name((enum ptx_type)i), (struct ptx_word){.kind = PTX_WORD_TYPE, .value = i});
    word_add(&suffixes, "v2", (struct ptx_word){.kind = PTX_WORD_VECTOR, .value = 2});
    word_add(&suffixes, "v4", (struct ptx_word){.kind = PTX_WORD_VECTOR, .value = 4});
    word_add(&suffixes, "v8", (struct ptx_word){.kind = PTX_WORD_VECTOR, .value = 8});
    for (unsigned i = 1; i < modifier_count; i++)
        map_add_bytes(&modifier_names, modifiers[i], strlen(modifiers[i]), NULL);
    ptx_forms_words(add_modifier_name);
    map_free(&modifier_names);
    for (unsigned i = 1; i < modifier_count; i++) // spaces and vectors stand in forms as well, and are known already
        word_add(&suffixes, modifiers[i], (struct ptx_word){.kind = PTX_WORD_MODIFIER, .value = i});
    for (unsigned i = 1; i < PTX_SPECIAL_COUNT; i++)
        word_add(&special_words, specials[i], (struct ptx_word){.value = i});
}

static const struct ptx_word *word_find(const struct map *words, const char *text, size_t length)
{
    static const struct ptx_word unknown;
    pthread_once(&words_known, know_words);
    const struct ptx_word *word = map_find_bytes(words, text, length);
    return word ? word : &unknown;
}

enum ptx_opcode ptx_words_opcode(const char *text, size_t length, size_t *used)
{
    enum ptx_opcode best = PTX_OP_INVALID;
    size_t done = 0;
    *used = 0;
    for (int part = 0; part < MOST_PARTS && done < length; part++) {
        const char *dot = memchr(text + done + 1, '.', length - done - 1);
        done = dot ? (size_t)(dot - text) : length;
        const struct ptx_word *word = word_find(&opcodes, text, done);
        if (word->value) {
            best = (enum ptx_opcode)word->value;
            *used = done;
        }
    }
    return best;
}

struct ptx_word ptx_words_find(const char *text, size_t length)
{
    return *word_find(&suffixes, text, length);
}

enum ptx_special ptx_words_special(const char *text, size_t length)
{
    return (enum ptx_special)word_find(&special_words, text, length)->value;
}

const char *ptx_modifier_name(enum ptx_modifier modifier)
{
    pthread_once(&words_known, know_words);
    return (unsigned)modifier < modifier_count ? modifiers[modifier] : "";
}

const char *ptx_special_name(enum ptx_special special)
{
    return (unsigned)special < PTX_SPECIAL_COUNT ? specials[special] : "";
}
