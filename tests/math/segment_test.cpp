#include <doctest/doctest.h>

#include <sinew/math/segment.h>
#include <sinew/math/types.h>

using namespace sinew;

TEST_CASE("segment: beside, beyond both ends, and where it has no length") {
    const Vec3d a(1, 0, 0), b(3, 0, 0);
    CHECK(place_on_segment<Vec3d>({1.5, 2, 0}, a, b) == 0.25);
    CHECK(distance_to_segment<Vec3d>({1.5, 2, 0}, a, b) == 2.0);
    CHECK(place_on_line<Vec3d>({0, 5, 0}, a, b) == -0.5);
    CHECK(place_on_segment<Vec3d>({0, 5, 0}, a, b) == 0.0);
    CHECK(distance_to_segment<Vec3d>({6, 4, 0}, a, b) == 5.0);
    CHECK(place_on_line<Vec3d>({6, 4, 0}, a, a) == 0.0);
    CHECK(distance_to_segment<Vec3d>({1, 2, 0}, a, a) == 2.0);
}
