#include <sinew/pipeline/job/add_instances.h>

namespace sinew {

void add_instances(const Character& one, size_t first_joint, Character& together) {
    const auto offset = static_cast<int32_t>(first_joint), skins = static_cast<int32_t>(together.skins.size());
    for (Skin skin : one.skins) {
        skin.source = -1;
        for (int32_t& joint : skin.joints) joint += offset;
        together.skins.push_back(std::move(skin));
    }
    for (MeshInstance instance : one.instances) {
        instance.joint += offset;
        if (instance.skin >= 0) instance.skin += skins;
        together.instances.push_back(std::move(instance));
    }
}

}  // namespace sinew
