// Branches, loops and returns whose lanes part and meet again in every way: where they do decides how often the loads
// behind are executed. tests/golden/h200_branches.csv has what an H200 counts: `bankshot verify tests/kernels/branches.cu
// --kernel NAME --grid 2 --block 64 --arg o:u32[512]=zero --arg a:u32[1024]=random:60` prints both.
#define BEGIN(name)                                                                                                    \
    extern "C" __global__ void name(unsigned *o, const unsigned *a)                                                    \
    {                                                                                                                  \
        __shared__ unsigned s[1024];                                                                                   \
        unsigned t = threadIdx.x, b = blockIdx.x, r = 0;                                                               \
        for (int i = t; i < 1024; i += 64)                                                                             \
            s[i] = a[i] + b;                                                                                           \
        __syncthreads();                                                                                               \
        unsigned v = a[(t * 37 + b) & 1023], *out = o + b * 256;
#define AT(i) s[(i) & 1023]
#define END                                                                                                            \
    r += AT(t * 5 + r + (v & 1));                                                                                      \
    r ^= AT(t * 9 + r);                                                                                                \
    out[t] = r;                                                                                                        \
    }

BEGIN(returns_in_one_arm)
  if (v & 1) { r += AT(v); if ((v & 0x700) == 0x300) { out[t] = r; return; } r ^= AT(v >> 3); }
  else { r -= AT(v >> 5) * 3; r ^= AT(r); }
END

BEGIN(returns_in_both_arms)
  if (v & 1) { r += AT(v); if ((v & 0x700) == 0x300) return; r ^= AT(v >> 3); }
  else { r -= AT(v >> 5) * 3; if ((r & 0x70) == 0x30) return; r ^= AT(r); }
END

BEGIN(returns_in_a_loop)
#pragma unroll 1
  for (unsigned i = 0; i < (v & 15) + 2; i++) { r += AT(r + i * 7 + t); if ((r & 0xff) == 0x21) { out[t] = i; return; } }
END

BEGIN(returns_in_an_arm_in_a_loop)
#pragma unroll 1
  for (unsigned i = 0; i < (v & 15) + 2; i++) {
    unsigned q = AT(r + i * 7 + t);
    if (q & 1) { r += AT(q); if ((r & 0x1f) == 5) return; } else { r ^= AT(q >> 4) + i; r = r * 5 + AT(q >> 7); }
    r += AT(r >> 2);
  }
END

BEGIN(breaks_in_an_arm)
#pragma unroll 1
  for (unsigned i = 0; i < 24; i++) {
    unsigned q = AT(r + i * 7 + t);
    if (q & 1) { r += AT(q); if ((r & 0x1f) == 5) break; } else { r ^= AT(q >> 4) + i; r = r * 5 + AT(q >> 7); }
    r += AT(r >> 2);
  }
END

BEGIN(continues_in_an_arm)
#pragma unroll 1
  for (unsigned i = 0; i < 24; i++) {
    unsigned q = AT(r + i * 7 + t);
    if (q & 1) { r += AT(q); if ((r & 3) == 1) continue; r ^= AT(r >> 9); } else { r ^= AT(q >> 4) + i; if ((r & 0x3f) == 7) break; r = r * 5 + AT(q >> 7); }
    r += AT(r >> 2);
  }
END

BEGIN(leaves_one_loop_or_two)
#pragma unroll 1
  for (unsigned j = 0; j < 6; j++) {
#pragma unroll 1
    for (unsigned i = 0; i < (v >> (2 * j) & 3) + 2; i++) {
      unsigned q = AT(r + i * 7 + t + j);
      if (q & 1) { r += AT(q); if ((r & 0x3f) == 5) goto out; if ((r & 0x30) == 0x10) break; } else { r ^= AT(q >> 4) + i; r = r * 5 + AT(q >> 7); }
      r += AT(r >> 2);
    }
    r ^= AT(r >> 5);
  }
  r += 77;
out:
END

BEGIN(probes_a_table)
  unsigned key = v & 0x3ff, slot = key * 2654435761u >> 22, n = 0;
#pragma unroll 1
  while (true) {
    unsigned q = AT(slot);
    if ((q & 7) == 0) { r = slot; break; }
    if ((q & 0x3f0) == (key & 0x3f0)) { r = AT(slot + 1); break; }
    if (q & 8) { slot += AT(q >> 4) & 7; if (n > 12) break; } else slot += 3;
    slot++; n++;
  }
  r += AT(t * 5 + r) + n; r ^= AT(t * 9 + r);
  out[t] = r;
}

BEGIN(stores_and_returns)
  if (v & 1) { r = AT(v); if (r & 2) { r ^= AT(r >> 3); out[t] = r; out[t + 64] = 1; return; } }
  if (v & 4) { r += AT(v >> 4); if ((r & 6) == 4) { r ^= AT(r >> 3); out[t] = r; out[t + 64] = 2; return; } r ^= AT(r); } else r += AT(v >> 6);
END

BEGIN(halves_and_triples)
#pragma unroll 1
  do {
    r++;
    if (v & 1) { v = v * 3 + 1 + (AT(r) & 1); if (v > 0x0fffffff) { out[t + 64] = r; return; } }
    else { v >>= 1; if (v < 16) break; }
    v += AT(v) & 1;
  } while (r < 100);
  out[t] = r + AT(v);
}

BEGIN(returns_in_a_switch)
#pragma unroll 1
  for (unsigned i = 0; i < 20; i++) {
    unsigned q = AT(r + i * 3 + t);
    switch (q & 7) { case 0: r += AT(q >> 3); break; case 1: r ^= q; break; case 2: r = r << 1 | r >> 31; if ((r & 0x1c0) == 0x40) { out[t] = r; return; } break;
      case 3: r -= AT(q >> 5); break; case 4: if ((q & 0xf0) == 0x30) goto done; r += 3; break; default: r += AT(r) & 15; }
  }
done:
END

BEGIN(returns_at_the_top)
  if ((v & 3) == 0) return;
  r = AT(v);
  if (r & 1) { r += AT(r >> 3); if (r & 8) return; r += AT(r >> 5); } else r ^= AT(r >> 7);
  __syncwarp(__activemask());
  r += AT(t * 5 + r);
  out[t] = r;
}

BEGIN(returns_deep_in_arms)
  if (v & 1) { r = AT(v); if (v & 2) { r += AT(r); if (v & 0x10) { r ^= AT(r >> 4); if ((r & 7) == 3) return; } r += AT(r >> 3); } r ^= AT(r >> 1); } else if (v & 4) { r = AT(v >> 3); } else { r = AT(v >> 5); if ((r & 15) == 3) return; }
END

// A stack machine: the lanes execute other programs.
BEGIN(interprets)
    unsigned sp = 0, acc = v;
    const unsigned char *program = (const unsigned char *)(s + (t >> 2) * 16);
    int pc = t & 3;
#pragma unroll 1
    for (unsigned steps = 0; pc < 64 && steps < 150; steps++) {
        unsigned op = program[pc++], high = op >> 4;
        switch (op & 15) {
        case 0: acc += high; break;
        case 1: acc = acc * 3 + high; // falls through
        case 2: acc ^= acc >> 7; break;
        case 3: AT(512 + (sp & 7) * 64 + t) = acc; sp++; break;
        case 4: if (sp) { sp--; acc += AT(512 + (sp & 7) * 64 + t); } break;
        case 5: if (acc & 1) pc += high & 3; break;
        case 6: if ((acc & 6) == 0 && pc > 4) pc -= 3; break;
        case 7: acc = __brev(acc); break;
        case 8: if (sp) acc -= AT(512 + t); break;
        case 9: acc = acc << high | acc >> ((32 - high) & 31); break;
        case 10: acc = __popc(acc) * 0x01010101u ^ acc; break;
        case 11: acc = acc / (high + 1); break;
        case 12: if (high == 9) goto out; acc++; break;
        case 13: acc = ~acc; // falls through
        default: acc += op;
        }
    }
out:
    r = acc;
END
