// The constants of CUDA's header of this name that kernels use.
#ifndef BANKSHOT_MATH_CONSTANTS_H
#define BANKSHOT_MATH_CONSTANTS_H
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define CUDART_PI_F 3.141592654f
#define CUDART_LN2_F 0.693147181f
#define CUDART_L2E_F 1.442695041f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_INF __longlong_as_double(0x7ff0000000000000ll)
#define CUDART_NAN __longlong_as_double((long long)0xfff8000000000000ull)
#define CUDART_PI 3.1415926535897931e+0
#endif
