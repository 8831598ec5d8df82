// Random textures and surfaces, with a kernel for each that reads or writes them: the same for one seed everywhere.
#ifndef BANKSHOT_TESTS_RANDOM_TEXTURE_H
#define BANKSHOT_TESTS_RANDOM_TEXTURE_H

#include "base/text.h"
#include "device/device.h"

enum { TEXTURE_THREADS = 256, TEXTURE_WORDS = 4, TEXTURE_OUT = TEXTURE_THREADS * TEXTURE_WORDS, TEXTURE_NAME = 200 };

enum image_action { FETCH, LEVEL, GRADIENT, WHOLE, GATHER, QUERY, LOAD, STORE, REDUCE };

struct texture_sample {
    uint64_t seed;
    enum image_action operation;
    char name[TEXTURE_NAME];
    struct text ptx;
    struct device_texture texture;
    struct device_arg args[3]; // image, in, out
    uint32_t threads;
    uint32_t in[TEXTURE_OUT], out[TEXTURE_OUT]; // four words a thread: coordinates; what is read
};
void texture_sample_make(struct texture_sample *s, uint64_t seed);
void texture_sample_free(struct texture_sample *s);

// Runs it; out: what the threads read, or what they left of the surface, as far as it goes.
enum status texture_sample_run(struct texture_sample *s, struct device *device, uint32_t out[TEXTURE_OUT],
                               struct diagnostic *diagnostic);

#endif
