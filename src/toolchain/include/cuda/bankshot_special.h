// The special functions: error functions and their inverses, the normal distribution, gamma, Bessel, norms. In double,
// by polynomials fitted to the functions for this file, series and Newton's steps; float ones are rounded once. Part of
// bankshot_device.h.
#pragma clang system_header

// ---- erf by its series below 1, erfc above 0.5 by e^(x^2) erfc(x), which is a polynomial over 1 + 2x

// e^(-x^2): what x * x loses to rounding is put back
BANKSHOT_DEVICE double bankshot_gauss(double x)
{
    double q = __dmul_rn(x, x);
    return exp(-q) * (1 - fma(x, x, -q));
}
BANKSHOT_DEVICE double bankshot_erfcx_positive(double x)
{
    double p =
        bankshot_series((x - 4) / (x + 4),
                        {-0x1.2feb115e10ff8p-32, 0x1.ff247156a53a2p-31,  0x1.bc41def3d5cc5p-29,  -0x1.a7f4a11380e73p-27,
                         -0x1.64110b1736fb3p-26, 0x1.c8a212189b424p-24,  0x1.4dcd6b6d85452p-24,  -0x1.b8ce493292da5p-21,
                         0x1.393f4d359a7fdp-22,  0x1.7ef644c7815aap-18,  -0x1.7884d2487d5efp-17, -0x1.99537515467bep-16,
                         0x1.3be0432bfa860p-13,  -0x1.a1df5e81f57b4p-13, -0x1.8d4a9a6465372p-11, 0x1.49c672e199469p-8,
                         -0x1.09623884747dbp-6,  0x1.3079edf5181dfp-5,   -0x1.0fb06dfe4c6c0p-4,  0x1.7fee004e1eefep-4,
                         -0x1.9ddb23c3e8f13p-4,  0x1.16ecefcfa4d10p-4,   0x1.f7f5df66fd797p-7,   -0x1.1df1ad154a286p-3,
                         0x1.3ba5916e9fd7fp+0});
    return p / (1 + 2 * x);
}
BANKSHOT_DEVICE double bankshot_erf_small(double x)
{
    double q = 2 * x * x, term = x, sum = x;
    for (int n = 1; n < 40 && fabs(term) > 1e-18 * fabs(sum); n++) {
        term *= q / (2 * n + 1);
        sum += term;
    }
    return bankshot_gauss(x) * 1.12837916709551257390 * sum;
}
BANKSHOT_DEVICE double erfc(double x)
{
    if (!(x > 0.5))
        return x > -1   ? 1 - bankshot_erf_small(x)
               : x != x ? x
               : x < -6 ? 2
                        : 2 - bankshot_erfcx_positive(-x) * bankshot_gauss(x);
    return x > 27.3 ? 0 : bankshot_erfcx_positive(x) * bankshot_gauss(x);
}
BANKSHOT_DEVICE double erf(double x)
{
    double a = fabs(x);
    return a < 1 ? bankshot_erf_small(x) : x != x ? x : copysign(a > 6 ? 1 : 1 - erfc(a), x);
}
BANKSHOT_DEVICE double erfcx(double x)
{
    if (x >= 0)
        return x > 1e8 ? 0.56418958354775628695 / x : bankshot_erfcx_positive(x);
    double q = __dmul_rn(x, x), e = exp(q);
    return x < -26.7 ? x != x ? x : __builtin_inf() : x != x ? x : e * (1 + fma(x, x, -q)) * erfc(x);
}

// Newton's steps on the logarithm, where p is small; Halley's else
BANKSHOT_DEVICE double bankshot_erfcinv_small(double p)
{
    double l = log(p), y = sqrt(-l - 0.5 * log(-l * 3.14159265358979));
    for (int i = 0; i < 6; i++) {
        double r = bankshot_erfcx_positive(y);
        y += (log(r) - fma(y, y, l)) * r * 0.88622692545275801365;
    }
    return y;
}
BANKSHOT_DEVICE double bankshot_erfinv_middle(double x)
{
    double l = log1p(-x * x), a = 4.33074675 + 0.5 * l, y = copysign(sqrt(sqrt(a * a - l * 6.8027210884) - a), x);
    for (int i = 0; i < 3; i++) {
        double off = fabs(x) < 0.5 ? erf(y) - x : copysign(1.0, x) * ((1 - fabs(x)) - erfc(fabs(y)));
        double u = off * 0.88622692545275801365 / bankshot_gauss(y);
        y -= u / (1 + y * u);
    }
    return y;
}
BANKSHOT_DEVICE double erfinv(double x)
{
    double a = fabs(x);
    if (!(a < 1))
        return a == 1 ? copysign(__builtin_inf(), x) : __builtin_nan("");
    return a < 1e-9  ? x * 0.88622692545275801365
           : a > 0.9 ? copysign(bankshot_erfcinv_small(1 - a), x)
                     : bankshot_erfinv_middle(x);
}
BANKSHOT_DEVICE double erfcinv(double p)
{
    if (!(p > 0 && p < 2))
        return p == 0 ? __builtin_inf() : p == 2 ? -__builtin_inf() : __builtin_nan("");
    return p < 0.1 ? bankshot_erfcinv_small(p) : erfinv(1 - p);
}
BANKSHOT_DEVICE double normcdf(double x)
{
    if (!(x < -0.7))
        return 0.5 * erfc(-x * 0.70710678118654752440);
    double q = __dmul_rn(0.5 * x, x); // e^(-x^2/2) of x itself: half of its square is exact but for one rounding
    return x < -38.6
               ? 0
               : 0.5 * bankshot_erfcx_positive(-x * 0.70710678118654752440) * (exp(-q) * (1 - fma(0.5 * x, x, -q)));
}
BANKSHOT_DEVICE double normcdfinv(double p) { return 0 - 1.41421356237309504880 * erfcinv(2 * p); }

// ---- gamma

// log gamma(2 + z) for |z| <= 1/2: its series at 2
BANKSHOT_DEVICE double bankshot_lgamma_at_2(double z)
{
    return z * bankshot_series(
                   z, {0x1.11116e693ed98p-35, -0x1.1a7c26ec2523cp-34, 0x1.24932a337434cp-33, -0x1.2f69a9fabe3e0p-32,
                       0x1.3b15d2b2fc10cp-31, -0x1.47b1679258d0ep-30, 0x1.555a877ffd2c3p-29, -0x1.6434a8447aeadp-28,
                       0x1.7469daccfadcdp-27, -0x1.862c734df3eacp-26, 0x1.99b93c2070b0fp-25, -0x1.af5a6cbbf8a97p-24,
                       0x1.c76bbb3f07a4dp-23, -0x1.e2600d93cfd2fp-22, 0x1.0064cdeb22f0fp-20, -0x1.11b2eb7679541p-19,
                       0x1.2597a39f34aacp-18, -0x1.3cbc963ce2243p-17, 0x1.580dcee66eb02p-16, -0x1.78de5bd7c81efp-15,
                       0x1.a127b0f17d65ap-14, -0x1.d3fd4c76d2fc8p-13, 0x1.0b36af86396e9p-11, -0x1.38ac5c2bf8e08p-10,
                       0x1.7add6eadb6c30p-9,  -0x1.e404fc218f5f2p-8,  0x1.51322ac7d8483p-6,  -0x1.13e001a557607p-4,
                       0x1.4a34cc4a60fa6p-2,  0x1.b0ee6072093cep-2});
}
// what Stirling's formula leaves: 1/12x - 1/360x^3 ...
BANKSHOT_DEVICE double bankshot_stirling(double x)
{
    double q = 1 / (x * x);
    return bankshot_series(q, {-3617.0 / 122400, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
                               -1.0 / 360, 1.0 / 12}) /
           x;
}
BANKSHOT_DEVICE double bankshot_lgamma_positive(double x)
{
    if (x > 12)
        return x > 1e300 && x * 700 > 1.7e308
                   ? __builtin_inf()
                   : (x - 0.5) * (log(x) - 1) + (0.41893853320467274178 + bankshot_stirling(x));
    if (x < 1.5)
        return x < 0.5 ? (x < 1e-17 ? -log(x) : bankshot_lgamma_at_2(x) - log1p(x) - log(x))
                       : bankshot_lgamma_at_2(x - 1) - log(x);
    double product = 1;
    while (x > 2.5) {
        x -= 1;
        product *= x;
    }
    return bankshot_lgamma_at_2(x - 2) + log(product);
}
BANKSHOT_DEVICE double sinpi(double x);
BANKSHOT_DEVICE double lgamma(double x)
{
    if (!(fabs(x) < __builtin_inf()))
        return x != x ? x : __builtin_inf();
    if (x > 0)
        return bankshot_lgamma_positive(x);
    if (x == trunc(x))
        return __builtin_inf();
    double a = -x;
    return a < 1e-17 ? -log(a) : log(BANKSHOT_PI / fabs(a * sinpi(a))) - bankshot_lgamma_positive(a);
}
BANKSHOT_DEVICE double bankshot_tgamma_positive(double x)
{
    if (x > 12) {
        double half = pow(x, 0.5 * x);
        return x > 171.7 ? __builtin_inf()
                         : half * exp(-x) * half * (2.50662827463100050242 / sqrt(x)) * exp(bankshot_stirling(x));
    }
    double product = 1;
    for (; x > 2.5; product *= x)
        x -= 1;
    for (; x < 1.5; x += 1)
        product /= x;
    return product * exp(bankshot_lgamma_at_2(x - 2));
}
BANKSHOT_DEVICE double tgamma(double x)
{
    if (x > 0 || x != x || x == 0)
        return x == 0 ? copysign(__builtin_inf(), x) : x != x ? x : bankshot_tgamma_positive(x);
    if (x == trunc(x))
        return __builtin_nan("");
    double a = -x, s = -a * sinpi(a); // gamma(x) gamma(-x) = -pi / (x sin pi x)
    if (a < 1e-17)
        return 1 / x;
    if (a < 170)
        return BANKSHOT_PI / (s * bankshot_tgamma_positive(a));
    double part = BANKSHOT_PI / (s * bankshot_tgamma_positive(a - 20)); // gamma(a) itself may be none
    for (int i = 1; i <= 20; i++)
        part /= a - i;
    return a > 190 ? copysign(0.0, s) : part;
}

// ---- Bessel: up to 8 a polynomial in x^2, beyond it one in 64/x^2 for the amplitude and the phase each

template <int n> BANKSHOT_DEVICE double bankshot_far(double x, bool second)
{
    double t = 128 / (x * x) - 1, p, q, s, c;
    if (n == 0) {
        p = bankshot_series(t, {-0x1.c069f735e546bp-44, 0x1.84af4636361c8p-42, -0x1.202eebd60118fp-40,
                                0x1.48f9107204609p-38, -0x1.b61b041673af4p-36, 0x1.54fcfbe0d21d2p-33,
                                -0x1.4d2ee46242c16p-30, 0x1.b7eef544a532bp-27, -0x1.b8d2d704d2b18p-23,
                                0x1.9be00162243f2p-18, -0x1.193600c1deaf5p-11, 0x1.ffb8dd328503dp-1});
        q = bankshot_series(t, {0x1.af40b7d730be9p-44, -0x1.5f47b71b67defp-42, 0x1.d0fb049111529p-41,
                                -0x1.eb3e6f499fb4fp-39, 0x1.2bfa269d9fc7ap-36, -0x1.a0bf5fd26cba0p-34,
                                0x1.61a4b894c2564p-31, -0x1.858ce1d180eecp-28, 0x1.3135a8bb033e2p-24,
                                -0x1.8c84352d4cb32p-20, 0x1.1e9a6138feca3p-14, -0x1.fdb5c0b2f3d52p-7});
    } else {
        p = bankshot_series(t, {0x1.dde5dde7cb9e7p-44, -0x1.9ff0a24f0037cp-42, 0x1.36c270d92edadp-40,
                                -0x1.64ed30aee0da2p-38, 0x1.def6f85bc84aap-36, -0x1.78d9f27272be1p-33,
                                0x1.75eaa5af5f996p-30, -0x1.f9615293f7a4dp-27, 0x1.07762648d93e0p-22,
                                -0x1.0b1541c06b6b1p-17, 0x1.d73b8ea3c1206p-11, 0x1.003b716033732p+0});
        q = bankshot_series(t, {-0x1.ca7047853929ap-44, 0x1.76cd068f18c8dp-42, -0x1.f3bcd622a61f6p-41,
                                0x1.0967ea5aea313p-38, -0x1.463c54c8436e6p-36, 0x1.c96dfccab4bf5p-34,
                                -0x1.8922313823955p-31, 0x1.b92fed357017bp-28, -0x1.642312972b49dp-24,
                                0x1.e8e009cfdf9b0p-20, -0x1.938da0a0a67e3p-14, 0x1.7f323705062f9p-5});
    }
    q *= 8 / x;
    sincos(x, &s, &c); // of x - pi/4 and x - 3pi/4, by the sums; the root of 2 goes into the amplitude
    double cosine = n == 0 ? c + s : s - c, sine = n == 0 ? s - c : -s - c, a = 0.56418958354775628695 / sqrt(x);
    return isinf(x) ? 0 : a * (second ? p * sine + q * cosine : p * cosine - q * sine);
}
BANKSHOT_DEVICE double j0(double x)
{
    x = fabs(x);
    if (x < 2)
        return bankshot_series(-0.25 * x * x, {1.0 / 229442532802560000, 1.0 / 1593350922240000, 1.0 / 13168189440000,
                                               1.0 / 131681894400, 1.0 / 1625702400, 1.0 / 25401600, 1.0 / 518400,
                                               1.0 / 14400, 1.0 / 576, 1.0 / 36, 1.0 / 4, 1.0 / 1, 1.0});
    return x > 8
               ? bankshot_far<0>(x, false)
               : bankshot_series(x * x / 32 - 1, {-0x1.9a0777364c030p-47, 0x1.c2c89e05a971ap-42, -0x1.b3bef5357b4f9p-37,
                                                  0x1.71d0a205ca76cp-32, -0x1.0ff8a9a497f9fp-27, 0x1.56a7a3316688ap-23,
                                                  -0x1.6cc5264a6ec82p-19, 0x1.42bc90333e42cp-15, -0x1.d11773b361d3dp-12,
                                                  0x1.09f3448afe768p-8, -0x1.d27f3cd0c2e4dp-6, 0x1.2afc33916d950p-3,
                                                  -0x1.03d2da095b4e5p-1, 0x1.09d33c82734c7p+0, -0x1.9dbdd0f268edep-1,
                                                  -0x1.4c042a76a3d9ap-1, 0x1.dc5071f1209f4p-1, 0x1.776fc5f84e280p-5});
}
BANKSHOT_DEVICE double j1(double x)
{
    if (fabs(x) > 8)
        return copysign(1.0, x) * bankshot_far<1>(fabs(x), false);
    return x * bankshot_series(x * x / 32 - 1, {0x1.b3b7e547a2a72p-47, -0x1.c2dff35ff1609p-42, 0x1.9882f8086b497p-37,
                                                -0x1.4396795a6e6a2p-32, 0x1.b9f413b500625p-28, -0x1.00fdba7344d71p-23,
                                                0x1.f58f14a651b53p-20, -0x1.936bb43ff9c64p-16, 0x1.059d3114e7099p-12,
                                                -0x1.09f3448afe858p-9, 0x1.982f5536aa883p-7, -0x1.c07a4d5a245f5p-5,
                                                0x1.44c7908bb221ep-3, -0x1.09d33c82734c7p-2, 0x1.364e5cb5ceb27p-3,
                                                0x1.4c042a76a3d9ap-4, -0x1.dc5071f1209f4p-5});
}
BANKSHOT_DEVICE double y0(double x)
{
    if (!(x > 0))
        return x == 0 ? -__builtin_inf() : __builtin_nan("");
    return x > 8 ? bankshot_far<0>(x, true)
                 : 2 / BANKSHOT_PI * log(x) * j0(x) +
                       bankshot_series(x * x / 32 - 1,
                                       {0x1.ccbf52cb5a567p-46, -0x1.f1a7705cf8efcp-41, 0x1.d7ca9aa7b0e67p-36,
                                        -0x1.880052e1acd53p-31, 0x1.1998aad3b2e5ap-26, -0x1.5995ab83d6874p-22,
                                        0x1.651b8eda081b1p-18, -0x1.31537c5c91eedp-14, 0x1.a6a8c6c98385bp-11,
                                        -0x1.cc70601236722p-8, 0x1.7bd6bf2ce921bp-5, -0x1.c06cc647f6a9dp-3,
                                        0x1.5827981135a27p-1, -0x1.13da2b14a486ep+0, 0x1.272bb3b608b42p-3,
                                        0x1.a5a81d661f788p+0, -0x1.a828bfbfdc936p-1, -0x1.876cb72f1c7ebp-2});
}
BANKSHOT_DEVICE double y1(double x)
{
    if (!(x > 0))
        return x == 0 ? -__builtin_inf() : __builtin_nan("");
    return x > 8 ? bankshot_far<1>(x, true)
                 : 2 / BANKSHOT_PI * (log(x) * j1(x) - 1 / x) +
                       x * bankshot_series(x * x / 32 - 1,
                                           {0x1.a7031bc8588e9p-51, -0x1.e583582591c40p-46, 0x1.eb637888e7b3ap-41,
                                            -0x1.b5d3615dacbddp-36, 0x1.532f6866c9544p-31, -0x1.c3f1d9451c511p-27,
                                            0x1.ff34fc771f995p-23, -0x1.e35169de28d75p-19, 0x1.76c164b8551b8p-15,
                                            -0x1.d1604f9ccaf30p-12, 0x1.c097bb98fdbc4p-9, -0x1.4198f92a31f29p-6,
                                            0x1.41bb6917b15dbp-4, -0x1.923952d7c42a6p-3, 0x1.e16d7a1d07b70p-3,
                                            0x1.7edab31507d03p-6, -0x1.f26fddceafd0ep-3, 0x1.21d516f81acf6p-4});
}
// upwards where that is stable, else Miller's way down
BANKSHOT_DEVICE double jn(int n, double x)
{
    double a = fabs(x), before = j0(a), here = j1(a);
    if (n < 2 || a == 0 || a != a)
        return n < 0 ? __builtin_nan("") : n == 0 ? before : n == 1 ? copysign(here, x) : a;
    if (a > n) {
        for (int k = 1; k < n; k++) {
            double next = 2 * k / a * here - before;
            before = here;
            here = next;
        }
    } else {
        double above = 0, at = 1e-300, sum = 0, wanted = 0;
        for (int k = 2 * ((n + (int)sqrt(160.0 * n) + 20) / 2); k > 0; k--) {
            double below = 2 * k / a * at - above;
            above = at;
            at = below;
            if (fabs(at) > 1e200) {
                at *= 1e-200;
                above *= 1e-200;
                sum *= 1e-200;
                wanted *= 1e-200;
            }
            if (k % 2)
                sum += at;
            if (k - 1 == n)
                wanted = at;
        }
        here = wanted / (2 * sum - at);
    }
    return x < 0 && n % 2 ? -here : here;
}
BANKSHOT_DEVICE double yn(int n, double x)
{
    double before = y0(x), here = y1(x);
    if (n < 1)
        return n < 0 ? __builtin_nan("") : before;
    for (int k = 1; k < n && here > -__builtin_inf(); k++) {
        double next = 2 * k / x * here - before;
        before = here;
        here = next;
    }
    return here;
}
// the series where it is short, e^x / sqrt(x) times a polynomial in 1/x else
template <int n> BANKSHOT_DEVICE double bankshot_bessel_i(double x)
{
    double a = fabs(x), r;
    if (isinf(a))
        return n ? x : a;
    if (a < 8) {
        double q = 0.25 * a * a, term = 1;
        r = 1;
        for (int k = 1; k < 40 && term > 1e-18 * r; k++) {
            term *= q / (k * (k + n));
            r += term;
        }
        return n ? 0.5 * x * r : r;
    }
    if (n == 0)
        r = bankshot_series(
            16 / a - 1, {0x1.6e48b56608f90p-36, -0x1.03b4aa8a9e407p-34, -0x1.4b4eae130efc2p-33, 0x1.ec7656d43152ap-32,
                         0x1.1998ba2c8ef47p-31, -0x1.b5e3e7f99d058p-30, -0x1.3ab3b1c19a518p-30, 0x1.ee943d682b9f4p-29,
                         0x1.2159f0c508719p-29, -0x1.9683a45b51615p-28, -0x1.0c5d8b2e86f47p-28, 0x1.fcf3dd682ab36p-28,
                         0x1.09d8aa3fc68b0p-27, -0x1.72b4495699537p-28, -0x1.ceb2c3f3c2085p-27, -0x1.cfe4f8bebe7e4p-28,
                         0x1.03fa571f405c2p-27, 0x1.723509510cd4ap-26,  0x1.51cb3832a6046p-25,  0x1.7d0f0727d6a9dp-24,
                         0x1.3f49af1ca6576p-22, 0x1.8e513a7ddffecp-20,  0x1.75e5ee6fabb85p-17,  0x1.1daa72b5e22b2p-13,
                         0x1.b87969bb93bd2p-9,  0x1.9bd428ad249a5p-2});
    else
        r = bankshot_series(
            16 / a - 1, {-0x1.5a29b473f1663p-36, 0x1.0ddc7620a9205p-34,  0x1.37bea5c8dbcccp-33,  -0x1.fff33f3b3e75ap-32,
                         -0x1.07d06c81c1d24p-31, 0x1.c7aed1ee533f7p-30,  0x1.268bd450a314cp-30,  -0x1.01ef463d9c576p-28,
                         -0x1.11c9f66d690fcp-29, 0x1.aa440cf09ce30p-28,  0x1.05656ba38c1b6p-28,  -0x1.0e2bb88351649p-27,
                         -0x1.0c96c7afcb02cp-27, 0x1.99d190fe908dap-28,  0x1.e413f0678e137p-27,  0x1.ceff3cea7c3a4p-28,
                         -0x1.21f47a4eb566bp-27, -0x1.9191ff33370adp-26, -0x1.727702ec186d3p-25, -0x1.ad8d43e5d60bep-24,
                         -0x1.7613865ea6e9ap-22, -0x1.ec8e107bd7eaap-20, -0x1.f89c230446f74p-17, -0x1.cbc54df1e894cp-13,
                         -0x1.3f796198ee63fp-7,  0x1.8ebe783a84030p-2});
    double e = exp(0.5 * a);
    r = e * (r / sqrt(a)) * e;
    return a != a ? a : n && x < 0 ? -r : r;
}
BANKSHOT_DEVICE double cyl_bessel_i0(double x) { return bankshot_bessel_i<0>(x); }
BANKSHOT_DEVICE double cyl_bessel_i1(double x) { return bankshot_bessel_i<1>(x); }

// ---- pi times x, lengths, roots

BANKSHOT_DEVICE void sincospi(double x, double *sine, double *cosine)
{
    bool whole = fabs(x) >= 0x1p53; // and even
    double n = whole ? 0 : rint(2 * x), r = whole ? 0 : fma(-0.5, n, x), p = __dmul_rn(r, BANKSHOT_PI);
    p = fma(r, BANKSHOT_PI, -p) + r * 0x1.1a62633145c07p-53 + p;
    double s = bankshot_sin_small(p), c = bankshot_cos_small(p);
    double quarter = n - 4 * trunc(0.25 * n); // -3 to 3; none of an infinity
    int quadrant = isfinite(x) ? (int)quarter & 3 : 0;
    double a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
    *sine = isfinite(x) ? (x == trunc(x) ? copysign(0.0, x) : quadrant & 2 ? -a : a) : __builtin_nan("");
    *cosine = isfinite(x) ? (b == 0 ? 0 : (quadrant + 1) & 2 ? -b : b) : __builtin_nan("");
}
BANKSHOT_DEVICE double sinpi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return s;
}
BANKSHOT_DEVICE double cospi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return c;
}
BANKSHOT_DEVICE void sincospif(float x, float *sine, float *cosine)
{
    double s, c;
    sincospi((double)x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}
BANKSHOT_DEVICE double rcbrt(double x) { return x == 0 || isinf(x) ? 1 / x : 1 / cbrt(x); }

// The square root of a sum of squares, scaled by a power of two so that no square is lost.
BANKSHOT_DEVICE double bankshot_norm(int count, const double *p, bool inverse)
{
    double largest = 0, sum = 0, rest = 0;
    for (int i = 0; i < count; i++)
        largest = isinf(p[i]) || isinf(largest)        ? __builtin_inf()
                  : p[i] != p[i] || largest != largest ? __builtin_nan("")
                                                       : fmax(largest, fabs(p[i]));
    for (int i = 0; i < count; i++)
        if (isinf(p[i]))
            largest = __builtin_inf();
    if (largest == 0 || !isfinite(largest))
        return inverse ? 1 / largest : largest;
    int e;
    frexp(largest, &e);
    for (int i = 0; i < count; i++) {
        double v = ldexp(p[i], -e), q = __dmul_rn(v, v), total = sum + q;
        rest += fma(v, v, -q) + (sum > q ? q - (total - sum) : sum - (total - q));
        sum = total;
    }
    double r = sqrt(sum + rest);
    return inverse ? ldexp(1 / r, -e) : ldexp(r, e);
}
BANKSHOT_DEVICE double norm(int count, const double *p) { return bankshot_norm(count, p, false); }
BANKSHOT_DEVICE double rnorm(int count, const double *p) { return bankshot_norm(count, p, true); }
BANKSHOT_DEVICE float bankshot_normf(int count, const float *p, bool inverse)
{
    double sum = 0;
    bool infinite = false;
    for (int i = 0; i < count; i++) {
        sum += (double)p[i] * (double)p[i];
        infinite |= isinf(p[i]);
    }
    double r = infinite ? __builtin_inf() : sqrt(sum);
    return (float)(inverse ? 1 / r : r);
}
BANKSHOT_DEVICE float normf(int count, const float *p) { return bankshot_normf(count, p, false); }
BANKSHOT_DEVICE float rnormf(int count, const float *p) { return bankshot_normf(count, p, true); }
#define BANKSHOT_NORM(name, count, inverse, parameters, ...)                                                           \
    BANKSHOT_DEVICE double name parameters(double)                                                                     \
    {                                                                                                                  \
        double p[] = {__VA_ARGS__};                                                                                    \
        return bankshot_norm(count, p, inverse);                                                                       \
    }                                                                                                                  \
    BANKSHOT_DEVICE float name##f parameters(float)                                                                    \
    {                                                                                                                  \
        float p[] = {__VA_ARGS__};                                                                                     \
        return bankshot_normf(count, p, inverse);                                                                      \
    }
#define BANKSHOT_2(type) (type x, type y)
#define BANKSHOT_3(type) (type x, type y, type z)
#define BANKSHOT_4(type) (type x, type y, type z, type w)
BANKSHOT_NORM(hypot, 2, false, BANKSHOT_2, x, y)
BANKSHOT_NORM(rhypot, 2, true, BANKSHOT_2, x, y)
BANKSHOT_NORM(norm3d, 3, false, BANKSHOT_3, x, y, z)
BANKSHOT_NORM(rnorm3d, 3, true, BANKSHOT_3, x, y, z)
BANKSHOT_NORM(norm4d, 4, false, BANKSHOT_4, x, y, z, w)
BANKSHOT_NORM(rnorm4d, 4, true, BANKSHOT_4, x, y, z, w)
#undef BANKSHOT_NORM
#undef BANKSHOT_2
#undef BANKSHOT_3
#undef BANKSHOT_4

// ---- neighbours, exponents, remainders

BANKSHOT_DEVICE double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysign(0x1p-1074, y);
    return __longlong_as_double(__double_as_longlong(x) + ((x < y) == (x > 0) ? 1 : -1));
}
BANKSHOT_DEVICE float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysignf(0x1p-149f, y);
    return __int_as_float(__float_as_int(x) + ((x < y) == (x > 0) ? 1 : -1));
}
BANKSHOT_DEVICE int ilogb(double x)
{
    int e;
    frexp(x, &e);
    return x == 0 || x != x ? (int)0x80000000 : isinf(x) ? 0x7fffffff : e - 1;
}
BANKSHOT_DEVICE int ilogbf(float x) { return ilogb((double)x); }
BANKSHOT_DEVICE double logb(double x) { return x == 0 ? -__builtin_inf() : !isfinite(x) ? x * x : (double)ilogb(x); }
BANKSHOT_DEVICE double scalbln(double x, long n)
{
    return ldexp(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
BANKSHOT_DEVICE float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
BANKSHOT_DEVICE double nan(const char *) { return __builtin_nan(""); }
BANKSHOT_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
BANKSHOT_DEVICE long long llrint(double x) { return (long long)rint(x); }
BANKSHOT_DEVICE long long llrintf(float x) { return (long long)rintf(x); }
BANKSHOT_DEVICE long long llround(double x) { return (long long)round(x); }
BANKSHOT_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
// The remainder to the nearest multiple, even in a tie, and the quotient's low bits. Exact, as fmod is.
BANKSHOT_DEVICE double remquo(double x, double y, int *quotient)
{
    double d = fabs(y), r;
    *quotient = 0;
    if (!isfinite(x) || d == 0 || d != d)
        return __builtin_nan("");
    if (isinf(d))
        return x;
    unsigned int q = 0;
    r = d < 0x1p1019 ? fmod(fabs(x), 8 * d) : fabs(x);
    for (int k = 4; k > 0; k /= 2)
        if (d < 0x1p1020 && r >= k * d) {
            r -= k * d;
            q += (unsigned int)k;
        }
    double twice = 2 * r;
    if (d > 0x1p1020 && r >= d) {
        r -= d;
        q++;
        twice = 2 * r;
    }
    if (d < 0x1p-1021 ? twice > d || (twice == d && q % 2) : r > 0.5 * d || (r == 0.5 * d && q % 2)) {
        r -= d;
        q++;
    }
    q &= 7;
    *quotient = signbit(x) != signbit(y) ? -(int)q : (int)q;
    return signbit(x) ? -r : r;
}
BANKSHOT_DEVICE float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
BANKSHOT_DEVICE double remainder(double x, double y)
{
    int quotient;
    return remquo(x, y, &quotient);
}
BANKSHOT_DEVICE float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
