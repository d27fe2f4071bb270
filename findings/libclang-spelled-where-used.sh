#!/usr/bin/env bash
# libclang reports the place where a macro is used as the spelling location of the code in the macro's body.
# The header promises the place in the #define for clang_getSpellingLocation. The function returns the place of the use, like
# clang_getExpansionLocation.
# Why it matters: with libclang 14, a program finds an operator in the text between its two operands. Behind a macro such as
# #define AT(i, j) ((i) * n + (j)) there is no such text, so a program that reads indices cannot tell `*` from `+`.
# Instead: print the function by clang_getCursorPrettyPrinted, which expands macros, and parse that.
# Versions: libclang1-14, libclang-14-dev and libllvm14 1:14.0.6-12.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libclang1-14 libclang-14-dev libllvm14; do
  apt-get -qq download "$package=1:14.0.6-12" > log 2>&1 || missing "Debian 12's $package 14.0.6 is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
multiarch=$(gcc -print-multiarch) lib=$folder/root/usr/lib/$(gcc -print-multiarch)
library=$(find "$lib" -name 'libclang-14.so.*' | sort | head -n 1)

cat > macro.c << 'END'
#define SUM (first + second)
int add(int first, int second) { return SUM; }
END
cat > places.c << 'END'
#include <clang-c/Index.h>
#include <stdio.h>
static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent, (void)data;
  if (clang_getCursorKind(cursor) == CXCursor_BinaryOperator) {
    CXSourceLocation place = clang_getRangeStart(clang_getCursorExtent(cursor));
    unsigned spelled = 0, used = 0;
    clang_getSpellingLocation(place, NULL, &spelled, NULL, NULL);
    clang_getExpansionLocation(place, NULL, &used, NULL, NULL);
    printf("%u %u", spelled, used);
  }
  return CXChildVisit_Recurse;
}
int main(void) {
  CXTranslationUnit unit = clang_parseTranslationUnit(clang_createIndex(0, 0), "macro.c", NULL, 0, NULL, 0, 0);
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, NULL);
}
END
gcc -I"$folder/root/usr/lib/llvm-14/include" places.c "$library" -Wl,-rpath,"$lib" -Wl,--allow-shlib-undefined -o places ||
  missing "the program does not link with libclang 14"
read -r spelled used <<< "$(LD_LIBRARY_PATH=$lib ./places)"
echo "the sum of a macro that is defined in line 1 and used in line 2, libclang 14.0.6 ($multiarch)"
echo "clang_getSpellingLocation:  line $spelled"
echo "clang_getExpansionLocation: line $used"
[ "$spelled" = 2 ] && [ "$used" = 2 ] || changed "the two places differ now"
echo "as stated: where it is spelled is said to be where it is used"
