#include <doctest/doctest.h>
#include <sinew/core/random.h>
#include <sinew/render/camera.h>

using namespace sinew;

TEST_CASE("camera: the ray through a point's projection leads to the point") {
    Random random(1);
    Camera camera = make_camera({0.7f, 0.2f}, 640, 400);
    camera.eye = Vec3(1.0f, 2.0f, 3.0f);
    for (int i = 0; i < 200; ++i) {
        const auto uniform = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
        const Vec3 point =
            camera.eye + uniform(1, 9) * camera.forward + uniform(-2, 2) * camera.right + uniform(-2, 2) * camera.up;
        const Vec3 pixel = camera.project(point);
        const Vec3 direction = camera.direction(pixel.x(), pixel.y());
        CHECK(direction.cross((point - camera.eye).normalized()).norm() < 1e-5f);
        CHECK(pixel.z() == doctest::Approx((point - camera.eye).dot(camera.forward)));
    }
}

TEST_CASE("camera: axes are right-handed, up is up, and the front is seen from +Z") {
    const Camera front = make_camera({0.0f, 0.0f}, 100, 100);
    CHECK((front.forward - Vec3(0, 0, -1)).norm() < 1e-6f);
    CHECK((front.right - Vec3(1, 0, 0)).norm() < 1e-6f);
    CHECK((front.up - Vec3(0, 1, 0)).norm() < 1e-6f);
    const Camera left_side = make_camera({radians(90.0f), 0.0f}, 100, 100);
    CHECK((left_side.forward - Vec3(-1, 0, 0)).norm() < 1e-6f);
    const Camera above = make_camera({0.4f, radians(30.0f)}, 100, 100);
    CHECK(above.forward.y() == doctest::Approx(-0.5f));
    CHECK(above.up.y() > 0.0f);
    CHECK((above.right.cross(above.up) + above.forward).norm() < 1e-6f);
}

TEST_CASE("framing: all points fit, and something touches the border") {
    Random random(7);
    for (int shape = 0; shape < 50; ++shape) {
        const int32_t width = 100 + static_cast<int32_t>(random.below(700));
        const int32_t height = 100 + static_cast<int32_t>(random.below(700));
        const ViewAngles angles{static_cast<float>(random.uniform(-3, 3)), static_cast<float>(random.uniform(0, 0.6))};
        Camera camera = make_camera(angles, width, height);
        const float fill = 0.8f;
        Framing framing(fill);
        std::vector<Vec3> points;
        for (int i = 0; i < 30; ++i) {
            points.emplace_back(random.uniform(-1, 1), random.uniform(-3, 3), random.uniform(-1, 2));
            framing.add(camera, points.back());
        }
        const Vec3 offset = framing.eye_offset(camera);
        camera.eye = offset.x() * camera.right + offset.y() * camera.up + offset.z() * camera.forward;
        float reach = 0.0f;
        for (const Vec3& point : points) {
            const Vec3 pixel = camera.project(point);
            CHECK(pixel.z() > 0.0f);
            reach = std::max({reach, std::abs(2.0f * pixel.x() / static_cast<float>(width) - 1.0f),
                              std::abs(2.0f * pixel.y() / static_cast<float>(height) - 1.0f)});
        }
        CHECK(reach == doctest::Approx(fill).epsilon(1e-3));
    }
}

TEST_CASE("framing: one point, or points along the line of sight, still leave the eye in front of them") {
    Camera camera = make_camera({0.0f, 0.0f}, 100, 100);
    Framing one(0.8f), line(0.8f);
    one.add(camera, Vec3(1, 2, 3));
    CHECK(one.eye_offset(camera).allFinite());
    line.add(camera, Vec3(0, 0, 0));
    line.add(camera, Vec3(0, 0, 5));
    CHECK(-line.eye_offset(camera).z() > 5.0f);
    Framing nothing(0.8f);
    nothing.add(camera, Vec3(INFINITY, 0, 0));
    CHECK(nothing.empty());
    CHECK(nothing.eye_offset(camera).allFinite());
}
