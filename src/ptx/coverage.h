// docs/ptx-coverage.md, written from the tables that the reader itself uses.
#ifndef BANKSHOT_PTX_COVERAGE_H
#define BANKSHOT_PTX_COVERAGE_H

struct text;

void ptx_coverage_write(struct text *page); // appends Markdown

#endif
