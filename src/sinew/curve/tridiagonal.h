// Tridiagonal systems: the linear equations behind C² splines and fitted slopes. Data flow: tangents.h, fit.h → *here*.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

// Solves a tridiagonal system for many right-hand sides of type Value (Thomas's algorithm; the matrix is diagonally
// dominant, or positive definite, so it needs no pivots). `right` becomes the solution.
template <class Value>
void solve_tridiagonal(const std::vector<double>& below, std::vector<double> diagonal, const std::vector<double>& above,
                       std::vector<Value>& right) {
    const size_t n = right.size();
    for (size_t i = 1; i < n; ++i) {
        const double factor = below[i] / diagonal[i - 1];
        diagonal[i] -= factor * above[i - 1];
        right[i] -= factor * right[i - 1];
    }
    right[n - 1] /= diagonal[n - 1];
    for (size_t i = n - 1; i-- > 0;) right[i] = (right[i] - above[i] * right[i + 1]) / diagonal[i];
}

}  // namespace sinew
