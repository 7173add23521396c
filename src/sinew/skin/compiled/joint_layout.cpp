#include <sinew/skin/compiled/joint_layout.h>

namespace sinew {
namespace {

// What a kernel spends, in nanoseconds of a machine with AVX2, halfway between positions alone and all attributes. Only
// ratios matter, and with AVX-512 they are much the same. A block blends the entries of one set of matrices, which its
// run has prepared; an octet blends for half as many, with nothing prepared; a loose vertex is moved on its own.
constexpr double block_cost(size_t joints) {
    return 4.6 * static_cast<double>(joints) + 5.0;
}
constexpr double run_cost(size_t joints) {
    return 2.3 * static_cast<double>(joints) + 8.0;
}
constexpr double octet_cost(size_t joints) {
    return 3.1 * static_cast<double>(joints) + 5.5;
}
constexpr double loose_cost = 3.8;

constexpr size_t pieces(size_t vertices, size_t size) {
    return (vertices + size - 1) / size;
}

}  // namespace

SetLayout best_layout(size_t k, size_t vertices, bool has_run, Looseness looseness) {
    const size_t whole = vertices / block_size * block_size;
    const auto cost = [&](size_t in_run, size_t in_octets) {
        const double run = in_run > 0 && !has_run ? run_cost(k) : 0.0;
        return run + block_cost(k) * static_cast<double>(pieces(in_run, block_size)) +
               octet_cost(k) * static_cast<double>(pieces(in_octets, octet_size)) +
               loose_cost * static_cast<double>(vertices - in_run - in_octets);
    };
    SetLayout best{vertices, 0, cost(vertices, 0)};
    const auto offer = [&](size_t in_run, size_t in_octets) {
        if (const double c = cost(in_run, in_octets); c < best.cost) best = {in_run, in_octets, c};
    };
    offer(whole, vertices - whole);
    offer(0, vertices);
    if (k > 1 && looseness == Looseness::allowed) offer(0, vertices / octet_size * octet_size);
    return best;
}

}  // namespace sinew
