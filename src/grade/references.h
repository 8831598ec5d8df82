// The data of a run: random inputs, poisoned outputs, and what the outputs must be (computed in double precision).
//
// Inputs are fresh for every seed. "uniform" floats for references that only move data are multiples of 2^-24 in [-1,
// 1): nearly all elements differ, so a misplaced one shows, and half of them need all bits of a float. For references
// that add (matmul, reduce_sum, stencil, custom ones) they are multiples of 2^-6 in [-1, 1): products are multiples of
// 2^-12, so that any sum of up to 4096 of them fits the 24 bits of a float and comes out exact in whatever order it is
// made. 16-bit types get these always. Where the tolerance forgives what floats lose (not for references that only move
// data), each has a little more, between 2^-13 and 2^-12, which halves and numbers of 16 bits round off, always to the
// same side. So have "queries", four times as much, but for the rows whose scores are beyond exp: those scores of 64
// products stay exact, since "keys" are multiples of 2^-6. Halves and bfloat16, uniform ones and "keys", are multiples
// of 2^-8 there, or what bfloat16 has next to them: it loses the last bit of one half in six, a byte that of any, and
// one bit less than bfloat16 has that of its own; and sums of their products are exact up to 256.
//
// Of more than 32768 uniform floats one run of 1024 in sixteen, drawn by the seed, holds zeros: who takes data for none
// because they are 0 is wrong there.
//
// Of 8000 floats and more (random ones, queries and keys) a third lies in places where values lean to one side, so that
// votes over a warp or a block come out in every way (grade/fills.h). Where the reference only moves them, some of them
// are larger there, up to 256. Whole numbers never lean: they may be what a histogram's conflicts follow from. But
// bytes repeat in places, as a picture's do (an eighth of them in runs of 4 to 64, and some runs of hundreds, half of
// them with specks; in arrays of more than 32768, whose conflicts count, one in 120).
//
// An output starts as poison: a NaN that no computation gives (floats) or 0xBAD… (integers). Elements that still hold
// it were never written.
#ifndef BANKSHOT_GRADE_REFERENCES_H
#define BANKSHOT_GRADE_REFERENCES_H

#include "grade/fills.h"
#include "grade/grading.h"

// A reference of the lesson's own that tells single elements. An element that it does not know is NAN.
struct dataset_own {
    void *context;
    bool (*expect)(void *context, const size_t *elements, size_t count, double *expected); // NULL: there is none
    size_t output;                                                                         // argument
    bool leaves_some; // elements that it does not write
};

struct dataset {
    const struct lesson_part *part;
    const struct lesson_size *size;
    bool gpu;      // the size's larger variables
    bool numbered; // inputs hold 100 times their row plus their column, in place of their fill
    uint64_t seed;
    struct device_arg args[DEVICE_MAX_ARGS];
    size_t count;
    struct maker *makers;              // of those that are buffers
    size_t shape[DEVICE_MAX_ARGS][3];  // slowest first
    void *before[DEVICE_MAX_ARGS];     // OUT, INOUT: the bytes before a run
    double *expected[DEVICE_MAX_ARGS]; // OUT, INOUT: what must be there after; NULL: not compared
    struct dataset_own own;
};

// Allocates and fills everything but `expected`.
void dataset_make(struct dataset *data, const struct lesson_part *part, const struct lesson_size *size, bool gpu,
                  uint64_t seed);
// The same without any data: shapes and scalars only. dataset_fill makes any part of it, whenever it is needed.
void dataset_make_bare(struct dataset *data, const struct lesson_part *part, const struct lesson_size *size, bool gpu,
                       uint64_t seed);
// Other data for one that is bare.
void dataset_draw(struct dataset *data, uint64_t seed);
// The elements [first, first + count) of a buffer as they are before a run, poison where it is an output.
void dataset_fill(const struct dataset *data, size_t arg, size_t first, size_t count, void *to);
// Puts numbers into the inputs that random ones never are: infinities, the largest there are, those too small to be
// normal, 0 and -0, and NaN of many kinds: where they are only moved, their bits are compared. For floats alone.
void dataset_fill_rare(struct dataset *data);
// Whether rows are added up, each for itself.
bool dataset_adds_rows(const struct lesson_part *part);
// Where they are, and hold floats: puts an infinity into every second row, first or last in it. Any result that is no
// number is right there. False, and nothing changes: elsewhere.
bool dataset_put_infinities(struct dataset *data);
// Leaves all inputs 0 but, where a tile is given (columns and rows), for one element in some tiles, near an edge, drawn
// by the seed. True: some are left.
bool dataset_fill_spikes(struct dataset *data, const uint32_t tile[2]);
// Sets patches of the inputs that are larger than one to 0, drawn by the seed. True: some are 0.
bool dataset_clear_patches(struct dataset *data);
// Makes inputs that the outputs are linear in larger or smaller by a power of two: the last of them, and unless that is
// to be alone the one before it the other way, and so on. So the outputs are as many times as large as is returned, bit
// for bit (but for halves, of which the smallest lose bits). Says so in `how`. 1 and nothing: where inputs are only
// moved, outputs have less than 32 bits, or a reference is of the lesson's own.
double dataset_scale(struct dataset *data, bool last_alone, bool last_larger, struct text *how);
void dataset_free(struct dataset *data);
// Outputs as they were before the first run.
void dataset_restore(struct dataset *data);
// What a run left in the outputs: kept, and put back after another run over the same data. True: that one left the
// same in the outputs of which nothing is expected, which only gates look at.
void dataset_keep(const struct dataset *data, void *kept[DEVICE_MAX_ARGS]);
bool dataset_put_back(struct dataset *data, void *kept[DEVICE_MAX_ARGS]);
// Fills `expected` by the built-in reference (nothing for "none"). USAGE: the arguments' shapes do not suit it.
enum status dataset_expect(struct dataset *data, struct diagnostic *diagnostic);
// Whether single elements of an output can be expected, whoever wrote them and in whatever order: by a built-in
// reference, and not counting on from what the output held, or by `own`. *output: its argument.
bool dataset_judges(const struct dataset *data, size_t *output);
// What these elements of that output must be; the inputs may be bare. NAN: `own` does not know it. False: the shapes do
// not suit the reference.
bool dataset_expect_some(const struct dataset *data, const size_t *elements, size_t count, double *expected);
// Takes what a custom reference left in the outputs as `expected`, and restores them.
void dataset_expect_outputs(struct dataset *data);
// "70 x 33": the variables' values
void dataset_describe(const struct dataset *data, char *text, size_t size);

// Compares output `arg`: true when all elements are right. |got - want| <= absolute + relative * |want|; NaN passes
// only where an input's was to come, bit for bit if it is only moved. tile_x, tile_y: columns and rows that a block
// covers (0 = unknown), for partial_only.
bool dataset_compare(const struct dataset *data, size_t arg, uint32_t tile_x, uint32_t tile_y,
                     struct grade_mismatch *mismatch);

bool dataset_moves(const struct lesson_part *part);                             // each output is an input element
bool dataset_is_right(double got, double want, const struct lesson_part *part); // one element

// One element of a buffer as a double.
double dataset_element(const struct device_arg *arg, size_t index);
bool dataset_unwritten(const struct device_arg *arg, size_t index); // it still holds what outputs begin with

#endif
