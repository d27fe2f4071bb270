// Loads libclang when a source is first read. The build needs only its headers.
#pragma once

#include <clang-c/Index.h>

#include <string>

namespace sextant::own {

// The libclang functions that are used here.
#define SEXTANT_CLANG_FUNCTIONS(X)      \
  X(clang_createIndex)                  \
  X(clang_disposeIndex)                 \
  X(clang_parseTranslationUnit2)        \
  X(clang_disposeTranslationUnit)       \
  X(clang_getTranslationUnitCursor)     \
  X(clang_visitChildren)                \
  X(clang_Type_visitFields)             \
  X(clang_Type_getAlignOf)              \
  X(clang_Cursor_isBitField)            \
  X(clang_getSpecializedCursorTemplate) \
  X(clang_getCursorLocation)            \
  X(clang_getCursorExtent)              \
  X(clang_getRangeStart)                \
  X(clang_getRangeEnd)                  \
  X(clang_getExpansionLocation)         \
  X(clang_Location_isFromMainFile)      \
  X(clang_getCursorSpelling)            \
  X(clang_getCursorReferenced)          \
  X(clang_getCursorType)                \
  X(clang_getCanonicalType)             \
  X(clang_getCursorPrettyPrinted)       \
  X(clang_getFile)                      \
  X(clang_File_isEqual)                 \
  X(clang_getArraySize)                 \
  X(clang_getTypeDeclaration)           \
  X(clang_Type_getSizeOf)               \
  X(clang_getArrayElementType)          \
  X(clang_getPointeeType)               \
  X(clang_getTypeSpelling)              \
  X(clang_isConstQualifiedType)         \
  X(clang_isCursorDefinition)           \
  X(clang_Cursor_isNull)                \
  X(clang_Cursor_getVarDeclInitializer) \
  X(clang_Cursor_Evaluate)              \
  X(clang_EvalResult_getKind)           \
  X(clang_EvalResult_getAsLongLong)     \
  X(clang_EvalResult_dispose)           \
  X(clang_getNumDiagnostics)            \
  X(clang_getDiagnostic)                \
  X(clang_disposeDiagnostic)            \
  X(clang_getDiagnosticSeverity)        \
  X(clang_getDiagnosticSpelling)        \
  X(clang_getDiagnosticLocation)        \
  X(clang_getCString)                   \
  X(clang_disposeString)

struct ClangLibrary {
#define SEXTANT_CLANG_MEMBER(name) decltype(&::name) name = nullptr;
  SEXTANT_CLANG_FUNCTIONS(SEXTANT_CLANG_MEMBER)
#undef SEXTANT_CLANG_MEMBER

  // Copies the text and disposes of the CXString.
  std::string text(CXString string) const;
};

// Throws UserError if libclang is not installed.
const ClangLibrary& clang_library();

}  // namespace sextant::own
