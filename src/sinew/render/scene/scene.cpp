#include <sinew/render/scene/scene.h>

#include <sinew/core/check.h>
#include <sinew/render/scene/embree.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

std::array<uint32_t, 3> corners(const SceneSurface& surface, uint32_t triangle) {
    const size_t first = size_t{triangle} * 3;
    return {surface.triangles[first], surface.triangles[first + 1], surface.triangles[first + 2]};
}

template <class T>
T mix(std::span<const T> values, const std::array<uint32_t, 3>& corner, const Vec3& b) {
    return b[0] * values[corner[0]] + b[1] * values[corner[1]] + b[2] * values[corner[2]];
}

Vec3 barycentric_from_uv(float u, float v) {
    return {1.0f - u - v, u, v};
}

float alpha_at(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric) {
    const auto corner = corners(surface, triangle);
    float alpha = surface.material.base_color.w();
    if (!surface.colors.empty()) alpha *= mix(surface.colors, corner, barycentric).w();
    if (surface.texture && !surface.uvs.empty())
        alpha *= surface.texture->sample(mix(surface.uvs, corner, barycentric), 0.0f).w();
    return alpha;
}

// Below this opacity a hit does not count. Blended surfaces are see-through (draw.cpp) but cast shadows like cut-outs.
float cutoff(const SceneSurface& surface, bool shadow) {
    if (surface.material.alpha_mode == AlphaMode::mask) return surface.material.alpha_cutoff;
    return shadow ? 0.5f : 1.0f / 255.0f;
}

template <bool shadow>
void cut_out(const RTCFilterFunctionNArguments* args) {
    const auto& surface = *static_cast<const SceneSurface*>(args->geometryUserPtr);
    for (unsigned i = 0; i < args->N; ++i) {
        if (args->valid[i] == 0) continue;
        const Vec3 b = barycentric_from_uv(RTCHitN_u(args->hit, args->N, i), RTCHitN_v(args->hit, args->N, i));
        if (alpha_at(surface, RTCHitN_primID(args->hit, args->N, i), b) < cutoff(surface, shadow)) args->valid[i] = 0;
    }
}

void copy_positions(RTCGeometry geometry, const SceneSurface& surface) {
    auto* out = static_cast<float*>(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0));
    for (const Vec3& p : surface.positions) {
        *out++ = p.x();
        *out++ = p.y();
        *out++ = p.z();
    }
}

RTCGeometry make_geometry(RTCDevice device, const SceneSurface& surface) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                            surface.positions.size());
    copy_positions(geometry, surface);
    void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                            surface.triangles.size() / 3);
    std::copy(surface.triangles.begin(), surface.triangles.end(), static_cast<uint32_t*>(indices));
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    if (surface.material.alpha_mode != AlphaMode::opaque) {
        rtcSetGeometryIntersectFilterFunction(geometry, cut_out<false>);
        rtcSetGeometryOccludedFilterFunction(geometry, cut_out<true>);
    }
    return geometry;
}

RTCRay to_embree(const Ray& ray) {
    RTCRay out{};
    out.org_x = ray.origin.x();
    out.org_y = ray.origin.y();
    out.org_z = ray.origin.z();
    out.dir_x = ray.direction.x();
    out.dir_y = ray.direction.y();
    out.dir_z = ray.direction.z();
    out.tnear = ray.near;
    out.tfar = ray.far;
    out.mask = 0xffffffffu;
    return out;
}

// Embree may stop the program on anything else.
bool is_traceable(const Ray& ray) {
    return ray.origin.cwiseAbs().maxCoeff() < 1e15f && ray.direction.cwiseAbs().maxCoeff() < 2.0f &&
           ray.origin.allFinite() && ray.direction.allFinite() && ray.near <= ray.far;
}

}  // namespace

struct Scene::State {
    std::vector<SceneSurface> surfaces;
    RTCDevice unlimited = nullptr;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    std::vector<RTCGeometry> geometries;

    ~State() {
        for (RTCGeometry geometry : geometries) rtcReleaseGeometry(geometry);
        if (scene) rtcReleaseScene(scene);
        if (device) rtcReleaseDevice(device);
        if (unlimited) rtcReleaseDevice(unlimited);
    }
};

Scene::Scene(std::vector<SceneSurface> surfaces) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.surfaces = std::move(surfaces);
    // One thread builds, so that the structure is always the same, and so is the choice between two triangles at equal
    // distance. Embree then limits all of TBB, ours too, to the most threads that any device asks for: the second
    // device does nothing but set no limit.
    s.unlimited = rtcNewDevice("set_affinity=0");
    s.device = rtcNewDevice("threads=1,set_affinity=0");
    SINEW_CHECK(s.device != nullptr);
    s.scene = rtcNewScene(s.device);
    rtcSetSceneFlags(s.scene, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST));
    for (SceneSurface& surface : s.surfaces) {
        SINEW_CHECK(surface.normals.size() == surface.positions.size());
        RTCGeometry geometry = make_geometry(s.device, surface);
        rtcSetGeometryUserData(geometry, &surface);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(s.scene, geometry, static_cast<unsigned>(s.geometries.size()));
        s.geometries.push_back(geometry);
    }
    rtcCommitScene(s.scene);
}

Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

std::vector<SceneSurface>& Scene::surfaces() {
    return state_->surfaces;
}
bool Scene::empty() const {
    return state_->surfaces.empty();
}

void Scene::update() {
    for (size_t i = 0; i < state_->geometries.size(); ++i) {
        copy_positions(state_->geometries[i], state_->surfaces[i]);
        rtcUpdateGeometryBuffer(state_->geometries[i], RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(state_->geometries[i]);
    }
    rtcCommitScene(state_->scene);
}

std::optional<Hit> Scene::intersect(const Ray& ray) const {
    if (!is_traceable(ray)) return std::nullopt;
    RTCRayHit query{};
    query.ray = to_embree(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree_intersect(state_->scene, query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;

    const SceneSurface& surface = state_->surfaces[query.hit.geomID];
    const auto corner = corners(surface, query.hit.primID);
    Hit hit;
    hit.surface = &surface;
    hit.triangle = query.hit.primID;
    hit.distance = query.ray.tfar;
    hit.barycentric = barycentric_from_uv(query.hit.u, query.hit.v);
    // Computed from the corners, not along the ray: the point stays on the triangle however far away the eye is.
    hit.position = mix<Vec3>(surface.positions, corner, hit.barycentric);
    const Vec3& a = surface.positions[corner[0]];
    hit.face_normal = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a).stableNormalized();
    hit.normal = mix<Vec3>(surface.normals, corner, hit.barycentric).stableNormalized();
    // A face seen from behind shows its other side. Interpolated normals may disagree with the winding, so the face
    // decides for each.
    if (hit.face_normal.dot(ray.direction) > 0.0f) hit.face_normal = -hit.face_normal;
    if (hit.normal.dot(hit.face_normal) < 0.0f) hit.normal = -hit.normal;
    if (!(hit.normal.squaredNorm() > 0.5f)) hit.normal = hit.face_normal;
    return hit;
}

bool Scene::occluded(const Ray& ray) const {
    if (!is_traceable(ray)) return false;
    RTCRay query = to_embree(ray);
    embree_occluded(state_->scene, query);
    return query.tfar < 0.0f;
}

Vec4 base_color(const Hit& hit, float footprint) {
    const SceneSurface& surface = *hit.surface;
    const auto corner = corners(surface, hit.triangle);
    Vec4 color = surface.material.base_color;
    if (!surface.colors.empty()) color = color.cwiseProduct(mix(surface.colors, corner, hit.barycentric));
    if (!surface.texture || surface.uvs.empty()) return color;

    const Vec2 &t0 = surface.uvs[corner[0]], &t1 = surface.uvs[corner[1]], &t2 = surface.uvs[corner[2]];
    const Vec3& a = surface.positions[corner[0]];
    const float world_area = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a).norm();
    const Vec2 e1 = t1 - t0, e2 = t2 - t0;
    const float texel_area = std::abs(e1.x() * e2.y() - e1.y() * e2.x()) * surface.texture->texels();
    const float texels_per_footprint = texel_area / std::max(world_area, 1e-20f) * footprint * footprint;
    const float level = 0.5f * std::log2(std::max(texels_per_footprint, 1e-6f));
    return color.cwiseProduct(surface.texture->sample(mix(surface.uvs, corner, hit.barycentric), level));
}

Vec3 shadow_origin(const Hit& hit) {
    const SceneSurface& surface = *hit.surface;
    const auto corner = corners(surface, hit.triangle);
    Vec3 lift = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        const Vec3 offset = hit.position - surface.positions[corner[static_cast<size_t>(i)]];
        Vec3 normal = surface.normals[corner[static_cast<size_t>(i)]];
        if (normal.dot(hit.face_normal) < 0.0f) normal = -normal;
        lift -= hit.barycentric[i] * std::min(0.0f, offset.dot(normal)) * normal;
    }
    const float margin = 2e-5f * std::max(1.0f, hit.position.cwiseAbs().maxCoeff());
    return hit.position + lift + margin * hit.face_normal;
}

}  // namespace sinew
