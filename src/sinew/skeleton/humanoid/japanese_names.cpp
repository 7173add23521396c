#include <sinew/skeleton/humanoid/japanese_names.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// Longer words stand before those they contain.
constexpr std::pair<std::string_view, std::string_view> words[] = {{"左", "left"},
                                                                   {"右", "right"},
                                                                   {"上半身", "spine"},
                                                                   {"下半身", "pelvis"},
                                                                   {"つま先", "toe"},
                                                                   {"足首", "ankle"},
                                                                   {"足先", "toe"},
                                                                   {"足", "leg"},
                                                                   {"ひざ", "knee"},
                                                                   {"膝", "knee"},
                                                                   {"手首", "wrist"},
                                                                   {"手捩", "hand twist"},
                                                                   {"腕捩", "arm twist"},
                                                                   {"捩", "twist"},
                                                                   {"腕", "arm"},
                                                                   {"ひじ", "elbow"},
                                                                   {"肘", "elbow"},
                                                                   {"肩", "shoulder"},
                                                                   {"首", "neck"},
                                                                   {"頭", "head"},
                                                                   {"両目", "face"},
                                                                   {"目", "eye"},
                                                                   {"親指", "thumb"},
                                                                   {"人差指", "index"},
                                                                   {"人指", "index"},
                                                                   {"中指", "middle"},
                                                                   {"薬指", "ring"},
                                                                   {"小指", "little"},
                                                                   {"髪", "hair"},
                                                                   {"スカート", "skirt"},
                                                                   {"胸", "breast"},
                                                                   {"舌", "tongue"},
                                                                   {"先", "tip"},
                                                                   {"ＩＫ", "ik"},
                                                                   {"キャンセル", "helper"},
                                                                   {"ダミー", "helper"},
                                                                   {"０", "0"},
                                                                   {"１", "1"},
                                                                   {"２", "2"},
                                                                   {"３", "3"},
                                                                   {"４", "4"},
                                                                   {"５", "5"}};

}  // namespace

std::string from_japanese(std::string_view name) {
    const bool ascii = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii) return std::string(name);
    std::string english;
    while (!name.empty()) {
        const auto word = std::ranges::find_if(words, [&](const auto& entry) { return name.starts_with(entry.first); });
        if (word == std::end(words)) {
            english += name.front();
            name.remove_prefix(1);
            continue;
        }
        english += ' ';
        english += word->second;
        name.remove_prefix(word->first.size());
    }
    return english;
}

}  // namespace sinew
