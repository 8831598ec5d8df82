// What sources elsewhere include: tests/cli/test_trace.c asks who says where it is.
#pragma once

enum { NEAR = 3 };
