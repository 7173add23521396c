// Output: the objects and connections of an FBX file while it is being written. For io/fbx/write alone.
// Data flow: Character, Outline → write_nodes, write_materials, write_meshes, write_clips → *here* → records.
#pragma once

#include <sinew/io/fbx/write/outline.h>
#include <sinew/io/fbx/write/record.h>

namespace sinew::fbx {

constexpr double centimetres = 100.0;  // in a metre: what files are written in, as engines expect it

struct Output {
    const Character& character;
    Outline outline;
    Record objects{"Objects"};
    Record connections{"Connections"};
    std::vector<int64_t> materials;                    // ids, by material; the last one stands for none
    std::vector<std::vector<int64_t>> shape_channels;  // by instance and morph target
    Record takes{"Takes"};
    int64_t next_id = 1'000'000;  // the scene is 0

    // A new object's record, to be filled and handed back to objects.add().
    Record object(std::string_view kind, int64_t id, std::string_view name, std::string_view class_name,
                  std::string_view type) const {
        return Record(kind, id, name_with_class(name, class_name), type);
    }
    int64_t new_id() { return next_id++; }
    void connect(int64_t child, int64_t parent) { connections.add("C", "OO", child, parent); }
    void connect(int64_t child, int64_t parent, std::string_view property) {
        connections.add("C", "OP", child, parent, property);
    }
};

constexpr int64_t scene_id = 0;

// Each adds objects and their connections, in this order.
void write_nodes(Output& output);
void write_materials(Output& output);
void write_meshes(Output& output);
void write_clips(Output& output);

// How many times per second most keys stand, if that is a usual rate; 30 otherwise.
int frame_rate(const Character& character);

// A transform of the character's as FBX has it, in centimetres.
AffineD in_centimetres(const AffineD& transform);

}  // namespace sinew::fbx
