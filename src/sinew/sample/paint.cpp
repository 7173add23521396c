#include <sinew/sample/paint.h>

#include <algorithm>
#include <cmath>

namespace sinew::shape {

namespace {

std::array<uint8_t, 3> to_bytes(const Vec3& rgb) {
    auto byte = [](float value) { return static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0f, 1.0f))); };
    return {byte(rgb.x()), byte(rgb.y()), byte(rgb.z())};
}

// Fills empty texels with the mean of their painted neighbours, `rings` texels deep.
void spread(Picture& picture, std::vector<bool>& done, int rings) {
    int n = picture.size;
    for (int ring = 0; ring < rings; ++ring) {
        std::vector<bool> before = done;
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) {
                if (before[y * n + x]) continue;
                int sum[3] = {0, 0, 0}, count = 0;
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        int a = x + dx, b = y + dy;
                        if (a < 0 || b < 0 || a >= n || b >= n || !before[b * n + a]) continue;
                        for (int k = 0; k < 3; ++k) sum[k] += picture.pixels[b * n + a][k];
                        ++count;
                    }
                }
                if (count == 0) continue;
                for (int k = 0; k < 3; ++k) picture.pixels[y * n + x][k] = static_cast<uint8_t>(sum[k] / count);
                done[y * n + x] = true;
            }
        }
    }
}

// The surface point at the middle of a texel, and the steps to the next texels.
struct Texel {
    Vec3d position, right, down;
    bool seen = false;
};

std::vector<Texel> find_texels(const Mesh& mesh, int size) {
    std::vector<Texel> texels(static_cast<size_t>(size) * size);
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const uint32_t* v = &mesh.triangles[t];
        Eigen::Vector2d q[3];
        for (int i = 0; i < 3; ++i) q[i] = mesh.uvs[v[i]].cast<double>() * size;
        Eigen::Matrix2d edges;
        edges << q[1] - q[0], q[2] - q[0];
        if (std::abs(edges.determinant()) < 1e-12) continue;
        Eigen::Matrix2d inverse = edges.inverse();
        Eigen::Matrix<double, 3, 2> span;
        span << (mesh.positions[v[1]] - mesh.positions[v[0]]).cast<double>(),
            (mesh.positions[v[2]] - mesh.positions[v[0]]).cast<double>();
        Eigen::Matrix<double, 3, 2> step = span * inverse;
        Eigen::AlignedBox2d box(q[0]);
        box.extend(q[1]).extend(q[2]);
        for (int y = std::max(0, static_cast<int>(box.min().y())); y <= std::min(size - 1.0, box.max().y()); ++y) {
            for (int x = std::max(0, static_cast<int>(box.min().x())); x <= std::min(size - 1.0, box.max().x()); ++x) {
                Eigen::Vector2d b = inverse * (Eigen::Vector2d(x + 0.5, y + 0.5) - q[0]);
                if (b.x() < 0 || b.y() < 0 || b.sum() > 1) continue;
                Vec3d p = mesh.positions[v[0]].cast<double>() + span * b;
                texels[static_cast<size_t>(y) * size + x] = {p, step.col(0), step.col(1), true};
            }
        }
    }
    return texels;
}

}  // namespace

Picture paint(const Mesh& mesh, int size, const std::function<Vec3(const Vec3d& position)>& color) {
    Picture picture{size, std::vector<std::array<uint8_t, 3>>(static_cast<size_t>(size) * size, {128, 128, 128})};
    std::vector<Texel> texels = find_texels(mesh, size);
    std::vector<bool> done(texels.size());
    for (size_t i = 0; i < texels.size(); ++i) {
        done[i] = texels[i].seen;
        if (done[i]) picture.pixels[i] = to_bytes(color(texels[i].position));
    }
    // Texels on an edge between colours take nine samples.
    const auto plain = picture.pixels;
    for (int y = 1; y + 1 < size; ++y) {
        for (int x = 1; x + 1 < size; ++x) {
            size_t i = static_cast<size_t>(y) * size + x;
            auto differs = [&](size_t n) { return done[n] && plain[n] != plain[i]; };
            if (!done[i] || !(differs(i - 1) || differs(i + 1) || differs(i - size) || differs(i + size))) continue;
            Vec3 sum = Vec3::Zero();
            for (int k = 0; k < 9; ++k) {
                sum += color(texels[i].position + (k % 3 - 1) / 3.0 * texels[i].right +
                             (k / 3 - 1) / 3.0 * texels[i].down);
            }
            picture.pixels[i] = to_bytes(sum / 9);
        }
    }
    spread(picture, done, 4);
    return picture;
}

}  // namespace sinew::shape
