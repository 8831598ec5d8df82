// textures: random textures, surfaces and coordinates, on the simulator and on a GPU from the same PTX, word by word.
//
//   textures [--first SEED] [--count N] [--gpu] [--record FILE]      with --gpu, exit status 1 when something differs
//   textures --against FILE [--print N] [--only WORD]   the simulator against what a GPU gave (--gpu --record)
//   textures --sums FILE                                seed and sum of each case of FILE that the simulator gives, too
//   textures --emit SEED                                prints the case and its PTX
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_texture.h"
#include "base/map.h"

enum { MOST_SHOWN = 8 };

struct tally {
    uint64_t cases, different, failed, words, wrong;
    unsigned shown;
};

static bool run_sample(struct texture_sample *s, const char *kind, struct device *device, uint32_t out[TEXTURE_OUT])
{
    struct diagnostic diagnostic = {0};
    if (texture_sample_run(s, device, out, &diagnostic) == STATUS_OK)
        return true;
    printf("seed %llu (%s): %s: %s\n", (unsigned long long)s->seed, s->name, kind, diagnostic.message);
    return false;
}

static void compare(const struct texture_sample *s, const uint32_t *ours, const uint32_t *theirs, struct tally *tally,
                    unsigned most)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < TEXTURE_OUT; i++) {
        if (ours[i] == theirs[i])
            continue;
        if (wrong++ < 3 && tally->shown++ < most) {
            const uint32_t *in = &s->in[i / TEXTURE_WORDS * TEXTURE_WORDS];
            float c[TEXTURE_WORDS], x, y;
            memcpy(c, in, sizeof c);
            memcpy(&x, &ours[i], 4);
            memcpy(&y, &theirs[i], 4);
            printf("seed %llu thread %u word %u: %s at (%.9g %.9g %.9g; %08x %08x %08x %08x): here %08x (%.9g), GPU "
                   "%08x (%.9g)\n",
                   (unsigned long long)s->seed, i / TEXTURE_WORDS, i % TEXTURE_WORDS, s->name, (double)c[0],
                   (double)c[1], (double)c[2], in[0], in[1], in[2], in[3], ours[i], (double)x, theirs[i], (double)y);
        }
    }
    tally->cases++;
    tally->different += wrong > 0;
    tally->wrong += wrong;
    tally->words += TEXTURE_OUT;
}

static int against(const char *path, struct device *simulator, unsigned most, const char *only, bool sums)
{
    static uint32_t ours[TEXTURE_OUT], theirs[TEXTURE_OUT];
    static struct texture_sample s;
    struct tally tally = {0};
    uint64_t seed;
    FILE *file = fopen(path, "rb");
    while (file && fread(&seed, sizeof seed, 1, file) == 1 && fread(theirs, sizeof theirs, 1, file) == 1) {
        texture_sample_make(&s, seed);
        if (!only || strstr(s.name, only)) {
            if (run_sample(&s, "simulator", simulator, ours))
                compare(&s, ours, theirs, &tally, most);
            else
                tally.failed++;
        }
        if (sums && !memcmp(ours, theirs, sizeof ours))
            printf("%llu,%016llx\n", (unsigned long long)seed,
                   (unsigned long long)map_hash(MAP_HASH_START, theirs, sizeof theirs));
        texture_sample_free(&s);
    }
    if (file)
        fclose(file);
    if (sums)
        return 0;
    printf("%llu cases, %llu different, %llu failed; %llu of %llu words\n", (unsigned long long)tally.cases,
           (unsigned long long)tally.different, (unsigned long long)tally.failed, (unsigned long long)tally.wrong,
           (unsigned long long)tally.words);
    return tally.cases && !tally.different && !tally.failed ? 0 : 1;
}

static int both(uint64_t first, uint64_t count, struct device *simulator, struct device *gpu, const char *record)
{
    static uint32_t ours[TEXTURE_OUT], theirs[TEXTURE_OUT];
    static struct texture_sample s;
    struct tally tally = {0};
    FILE *file = record ? fopen(record, "wb") : NULL;
    for (uint64_t seed = first; seed < first + count; seed++) {
        texture_sample_make(&s, seed);
        bool ok = run_sample(&s, "simulator", simulator, ours);
        bool there = gpu && run_sample(&s, "GPU", gpu, theirs);
        if (there && file) {
            fwrite(&seed, sizeof seed, 1, file);
            fwrite(theirs, sizeof theirs, 1, file);
        }
        if (ok && there)
            compare(&s, ours, theirs, &tally, MOST_SHOWN);
        tally.failed += !ok || (gpu && !there);
        texture_sample_free(&s);
    }
    if (file)
        fclose(file);
    printf("%llu cases: %llu compared, %llu different, %llu failed; %llu of %llu words\n", (unsigned long long)count,
           (unsigned long long)tally.cases, (unsigned long long)tally.different, (unsigned long long)tally.failed,
           (unsigned long long)tally.wrong, (unsigned long long)tally.words);
    return tally.different || tally.failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"first", 1, NULL, 'f'},   {"count", 1, NULL, 'c'},
                                            {"gpu", 0, NULL, 'g'},     {"record", 1, NULL, 'r'},
                                            {"against", 1, NULL, 'a'}, {"print", 1, NULL, 'p'},
                                            {"only", 1, NULL, 'o'},    {"emit", 1, NULL, 'e'},
                                            {"sums", 1, NULL, 's'},    {0}};
    uint64_t first = 1, count = 200, emit = 0;
    bool wants_gpu = false, sums = false;
    const char *record = NULL, *file = NULL, *only = NULL;
    unsigned most = MOST_SHOWN;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'f' || option == 'c' || option == 'e')
            *(option == 'f' ? &first : option == 'c' ? &count : &emit) = strtoull(optarg, NULL, 0);
        else if (option == 'g')
            wants_gpu = true;
        else if (option == 'p')
            most = (unsigned)strtoul(optarg, NULL, 0);
        else if (option == 's')
            sums = true, file = optarg, most = 0;
        else if (option == '?')
            return 2;
        else
            *(option == 'r' ? &record : option == 'a' ? &file : &only) = optarg;
    }
    struct device simulator, gpu;
    struct diagnostic diagnostic;
    if (device_open(&simulator, "sim", NULL, -1, &diagnostic) != STATUS_OK ||
        (wants_gpu && device_open(&gpu, "gpu", NULL, 0, &diagnostic) != STATUS_OK)) {
        fprintf(stderr, "textures: %s\n", diagnostic.message);
        return 2;
    }
    if (emit) {
        static struct texture_sample s;
        texture_sample_make(&s, emit);
        printf("// %s\n%s", s.name, text_get(&s.ptx));
        texture_sample_free(&s);
        return 0;
    }
    int status = file ? against(file, &simulator, most, only, sums)
                      : both(first, count, &simulator, wants_gpu ? &gpu : NULL, record);
    device_close(&simulator);
    if (wants_gpu)
        device_close(&gpu);
    return status;
}
