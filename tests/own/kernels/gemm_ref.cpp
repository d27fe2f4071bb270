void gemm(int n, const T* a, const T* b, T* c) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      T sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }
}
