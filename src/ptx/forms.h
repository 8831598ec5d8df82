// Which types, words and operands an opcode takes together: the forms of opcodes.def, as ptxas takes them (checked
// against it by tests/ptx/test_ptx_forms.c). Words are the dotted parts behind the opcode but for its types: modifiers,
// state spaces, vector widths; their order does not matter.
#ifndef BANKSHOT_PTX_FORMS_H
#define BANKSHOT_PTX_FORMS_H

#include <stddef.h>
#include <stdint.h>

#include "ptx/ptx_inst.h"

struct text;

struct ptx_form {
    uint64_t types, second;       // sets of types; second: of the source's, where both are written
    const char *words, *operands; // see opcodes.def
};

enum { PTX_MOST_WORDS = 16, PTX_MOST_OPERANDS = 32, PTX_ANY_OPERANDS = UINT16_MAX };

struct ptx_text {
    const char *text; // without the dot
    size_t length;
};

struct ptx_words_written {
    struct ptx_text items[PTX_MOST_WORDS];
    unsigned count;
};

// What does not fit; OPERANDS: their number alone.
enum ptx_fit { PTX_FIT, PTX_FIT_TYPES, PTX_FIT_WORDS, PTX_FIT_OPERANDS };

// Sets form and choice of an instruction with its opcode and types. operands: how many, or PTX_ANY_OPERANDS.
enum ptx_fit ptx_form_find(struct ptx_inst *inst, const struct ptx_words_written *words, unsigned operands);
bool ptx_form_counts(const struct ptx_inst *inst, unsigned operands); // whether its form has so many
// Appends what is wrong with the words, "'shl.b32' does not take '.sat'"; answers which word, or their count if one is
// missing.
unsigned ptx_form_misfit(const struct ptx_inst *inst, const struct ptx_words_written *words, struct text *why);
// Whether some form has this type behind `before` others.
bool ptx_form_takes_type(enum ptx_opcode op, enum ptx_type type, unsigned before);
// Tells of each word that stands in a form, as often as it does.
void ptx_forms_words(void (*visit)(const char *text, size_t length));
void ptx_opcode_operands(enum ptx_opcode op, unsigned *least, unsigned *most);

#endif
