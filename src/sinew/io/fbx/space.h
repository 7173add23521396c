// Space: from an FBX file's axes and units to Sinew's.
// Data flow: the file's settings → *here* → every transform, matrix and point that leaves the reader.
#pragma once

#include <sinew/io/fbx/document/objects.h>
#include <sinew/math/transform.h>

namespace sinew::fbx {

// A local transform in double: translate · rotate · scale.
struct Placement {
    Vec3d translation = Vec3d::Zero();
    Quatd rotation = Quatd::Identity();
    Vec3d scale = Vec3d::Ones();

    AffineD matrix() const;
};

// The whole scene is scaled to metres and, where the file is left-handed, mirrored in x; that changes every local
// transform a little and needs no joint of its own. What turns the file's up axis to +Y is put on the roots.
struct Space {
    double metres = 0.01;  // per unit of the file
    bool mirrored = false;
    Quatd upright = Quatd::Identity();

    Vec3d point(const Vec3d& p) const { return direction(p) * metres; }
    Vec3d direction(const Vec3d& d) const { return mirrored ? Vec3d(-d.x(), d.y(), d.z()) : d; }
    Placement placement(const Placement& local, bool is_root) const;
    AffineD matrix(const AffineD& m) const;
};

Space space_of(const Graph& graph);

}  // namespace sinew::fbx
