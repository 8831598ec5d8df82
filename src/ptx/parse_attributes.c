// What may stand between a function's parameters and its body.
#include "ptx/parser.h"

// Three sizes, of which the later ones may be missing
static bool parse_sizes(struct ptx_parser *p, uint32_t sizes[3], const char *what)
{
    uint64_t value;
    for (int i = 0; i < 3; i++)
        sizes[i] = 1;
    for (int i = 0; i < 3; i++) {
        if (!ptx_parse_bounded(p, 1, UINT32_MAX, &value, what))
            return false;
        sizes[i] = (uint32_t)value;
        if (!ptx_accept(p, ','))
            break;
    }
    return true;
}

static bool parse_count(struct ptx_parser *p, uint32_t *count, const char *what)
{
    uint64_t value = 0;
    bool ok = ptx_parse_bounded(p, 0, UINT32_MAX, &value, what);
    *count = (uint32_t)value;
    return ok;
}

// attributes = { ".maxntid" sizes | ".reqntid" sizes | ".minnctapersm" n | ".maxnreg" n | ".noreturn" | … }
bool ptx_parse_attributes(struct ptx_parser *p, struct ptx_function *function)
{
    uint32_t ignored;
    bool ok = true;
    while (ok && p->token.kind == PTX_TOKEN_WORD) {
        if (ptx_accept_word(p, ".maxntid"))
            ok = parse_sizes(p, function->maxntid, "a size of '.maxntid'");
        else if (ptx_accept_word(p, ".reqntid"))
            ok = parse_sizes(p, function->reqntid, "a size of '.reqntid'");
        else if (ptx_accept_word(p, ".reqnctapercluster"))
            ok = parse_sizes(p, function->reqnctapercluster, "a size of '.reqnctapercluster'");
        else if (ptx_accept_word(p, ".minnctapersm") || ptx_accept_word(p, ".maxnctapersm"))
            ok = parse_count(p, &function->minnctapersm, "the number of blocks");
        else if (ptx_accept_word(p, ".maxnreg"))
            ok = parse_count(p, &function->maxnreg, "the number of registers");
        else if (ptx_accept_word(p, ".maxclusterrank"))
            ok = parse_count(p, &function->maxclusterrank, "the size of the cluster");
        else if (ptx_accept_word(p, ".explicitcluster"))
            function->explicit_cluster = true;
        else if (ptx_accept_word(p, ".noreturn"))
            function->is_noreturn = true;
        else if (ptx_accept_word(p, ".abi_preserve") || ptx_accept_word(p, ".abi_preserve_control") ||
                 ptx_accept_word(p, ".local_maxnreg"))
            ok = parse_count(p, &ignored, "a number of registers");
        else if (ptx_accept_word(p, ".blocksareclusters") || ptx_accept_word(p, ".unique"))
            continue;
        else if (ptx_accept_word(p, ".pragma"))
            ok = ptx_skip_pragma(p, NULL);
        else if (ptx_accept_word(p, ".attribute"))
            ok = ptx_skip_parentheses(p);
        else
            break;
    }
    return ok;
}
