// What nvcc's own headers bring of the C++ library, for clang: included before a source that names std.
#ifndef BANKSHOT_STD_H
#define BANKSHOT_STD_H

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h> // min, max, distance: a tenth of <algorithm>
#else
#include <algorithm>
#include <iterator>
#endif

#endif
