#include <doctest/doctest.h>

#include <rig/doubtful.h>
#include <sinew/core/parallel.h>
#include <sinew/mesh/voxel_work.h>
#include <sinew/rig/fit_skeleton.h>

using namespace sinew;
using namespace sinew::test;

namespace {

// Voxels visited while a skeleton is fitted.
double work_of(const Mesh& mesh) {
    const uint64_t before = voxel_work();
    REQUIRE(fit_skeleton(mesh.positions, mesh.triangles));
    return static_cast<double>(voxel_work() - before);
}

}  // namespace

TEST_CASE("rig: a doubtful shape takes at most four times the work of a clear one") {
    const int threads = thread_count();
    set_thread_count(1);
    const double clear = work_of(sample_person());
    CHECK(clear > 0.0);
    const std::vector<DoubtfulShape> shapes = doubtful_shapes();
    CHECK(shapes.size() == 30);
    for (const DoubtfulShape& shape : shapes) {
        CAPTURE(shape.name);
        const double work = work_of(shape.mesh);
        CHECK(work < 4.0 * clear);
    }
    set_thread_count(threads);
}
