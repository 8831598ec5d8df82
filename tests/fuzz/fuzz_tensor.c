// Tensor maps: the first 128 bytes are one, the rest coordinates. What keeps the rules has rows that fit; what does not
// has a sentence.
#include <stdlib.h>
#include <string.h>

#include "sim/tensor.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct tensor_map map;
    int32_t at[TENSOR_RANK] = {0};
    char why[160] = "";
    if (size < sizeof map)
        return 0;
    memcpy(&map, data, sizeof map);
    size -= sizeof map;
    memcpy(at, data + sizeof map, size < sizeof at ? size : sizeof at);
    if (data[0] % 2)
        map.magic = TENSOR_MAGIC; // so that the other rules are met, too
    if (tensor_map_wrong(&map, why, sizeof why))
        return why[0] ? 0 : (abort(), 0);
    bool stores = data[0] % 4 < 2;
    for (uint32_t i = 0; stores && i < map.rank; i++)
        at[i] &= INT32_MAX; // a store below 0 is a fault before any row is looked at
    struct tensor_box box = tensor_box_of(&map);
    unsigned char *row = malloc(box.row_bytes), *tile = malloc(box.span);
    for (uint32_t i = 0; i < box.rows; i++) {
        struct tensor_row part = tensor_row_of(&map, &box, at, i, stores);
        if (part.from + part.inside > box.row_bytes)
            abort();
        tensor_fill(&map, row);
        tensor_row_to_tile(&map, 0, i * box.pitch, row, tile);
        tensor_row_from_tile(&map, 0, i * box.pitch, row, tile);
    }
    free(row);
    free(tile);
    return 0;
}
