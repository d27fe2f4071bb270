// cuSPARSE's sparse matrix-vector product (CSR format), loaded at run time.
#pragma once

#include <cusparse.h>

#include "base/dynamic_library.hpp"

namespace sextant {

struct Cusparse {
  DynamicLibrary library{{"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so"},
                         "cuSPARSE (the CUDA toolkit)"};
  decltype(cusparseCreate)* create;
  decltype(cusparseDestroy)* destroy;
  decltype(cusparseSetStream)* set_stream;
  decltype(cusparseCreateCsr)* create_csr;
  decltype(cusparseDestroySpMat)* destroy_matrix;
  decltype(cusparseCreateDnVec)* create_vector;
  decltype(cusparseDestroyDnVec)* destroy_vector;
  decltype(cusparseSpMV_bufferSize)* buffer_size;
  decltype(cusparseSpMV)* multiply;
  decltype(cusparseSpMV)* preprocess;  // null before CUDA 12.4

  Cusparse() {
    library.find("cusparseCreate", &create);
    library.find("cusparseDestroy", &destroy);
    library.find("cusparseSetStream", &set_stream);
    library.find("cusparseCreateCsr", &create_csr);
    library.find("cusparseDestroySpMat", &destroy_matrix);
    library.find("cusparseCreateDnVec", &create_vector);
    library.find("cusparseDestroyDnVec", &destroy_vector);
    library.find("cusparseSpMV_bufferSize", &buffer_size);
    library.find("cusparseSpMV", &multiply);
    const std::string problem = library.problem;
    library.find("cusparseSpMV_preprocess", &preprocess);
    library.problem = problem;
  }
};

inline const Cusparse& cusparse() {
  static const Cusparse functions;
  return functions;
}

inline const char* cusparse_unavailable() {
  const std::string& problem = cusparse().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

}  // namespace sextant
