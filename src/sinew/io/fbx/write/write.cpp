#include <sinew/io/fbx/fbx.h>
#include <sinew/io/fbx/materials.h>
#include <sinew/io/fbx/write/output.h>
#include <algorithm>
#include <array>
#include <utility>

namespace sinew::fbx {
namespace {

constexpr int64_t document_id = 999'999;  // objects are numbered behind it

Record header_record() {
    constexpr int32_t header_version = 1003, stamp_version = 1000;
    Record header("FBXHeaderExtension");
    header.add("FBXHeaderVersion", header_version);
    header.add("FBXVersion", written_version);
    header.add("EncryptionType", int32_t(0));
    Record& stamp = header.add("CreationTimeStamp");
    stamp.add("Version", stamp_version);
    constexpr std::array<std::pair<const char*, int32_t>, 7> fixed = {
        {{"Year", 1970}, {"Month", 1}, {"Day", 1}, {"Hour", 10}, {"Minute", 0}, {"Second", 0}, {"Millisecond", 0}}};
    for (const auto& [name, number] : fixed) stamp.add(name, number);
    header.add("Creator", our_name);
    return header;
}

// +Y is up, +Z is ahead, right-handed, in centimetres.
Record settings_record(const Character& character) {
    constexpr int32_t settings_version = 1000;
    Record settings("GlobalSettings");
    settings.add("Version", settings_version);
    Record& properties = settings.add("Properties70");
    const auto integer = [&properties](std::string_view name, int32_t value) {
        properties.add("P", name, "int", "Integer", "", value);
    };
    constexpr std::array<std::pair<std::string_view, int32_t>, 8> axes = {{{"UpAxis", 1},
                                                                           {"UpAxisSign", 1},
                                                                           {"FrontAxis", 2},
                                                                           {"FrontAxisSign", 1},
                                                                           {"CoordAxis", 0},
                                                                           {"CoordAxisSign", 1},
                                                                           {"OriginalUpAxis", 1},
                                                                           {"OriginalUpAxisSign", 1}}};
    for (const auto& [name, value] : axes) integer(name, value);
    properties.add("P", "UnitScaleFactor", "double", "Number", "", 1.0);
    properties.add("P", "OriginalUnitScaleFactor", "double", "Number", "", 1.0);
    // FBX's own numbers for frame rates; 14 is "see CustomFrameRate".
    constexpr std::array<std::pair<int, int32_t>, 8> modes = {
        {{120, 1}, {100, 2}, {60, 3}, {50, 4}, {48, 5}, {30, 6}, {25, 10}, {24, 11}}};
    const int rate = frame_rate(character);
    for (const auto& [frames, mode] : modes)
        if (frames == rate) properties.add("P", "TimeMode", "enum", "", "", mode);
    properties.add("P", "CustomFrameRate", "double", "Number", "", double(rate));
    return settings;
}

Record documents_record() {
    Record documents("Documents");
    documents.add("Count", int32_t(1));
    Record& document = documents.add("Document", document_id, "Scene", "Scene");
    document.add("Properties70").add("P", "ActiveAnimStackName", "KString", "", "", "");
    document.add("RootNode", int64_t(0));
    return documents;
}

// How many objects of each kind follow.
Record definitions_record(const Record& objects) {
    constexpr int32_t definitions_version = 100;
    constexpr std::array<std::string_view, 12> kinds = {
        "NodeAttribute", "Model",          "Geometry",       "Material",           "Texture",       "Video", "Deformer",
        "Pose",          "AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};
    Record definitions("Definitions");
    definitions.add("Version", definitions_version);
    definitions.add("Count", int32_t(objects.children().size() + 1));
    definitions.add("ObjectType", "GlobalSettings").add("Count", int32_t(1));
    const auto count = [&objects](std::string_view kind) {
        return int32_t(std::ranges::count_if(objects.children(), [kind](const Record& r) { return r.name() == kind; }));
    };
    for (const std::string_view kind : kinds)
        if (const int32_t number = count(kind); number > 0) definitions.add("ObjectType", kind).add("Count", number);
    return definitions;
}

}  // namespace
}  // namespace sinew::fbx

namespace sinew {

Result<std::vector<OutputFile>> encode_fbx(const Character& character, const std::filesystem::path& path) {
    fbx::Output output{character, fbx::make_outline(character)};
    fbx::write_nodes(output);
    fbx::write_materials(output);
    fbx::write_meshes(output);
    fbx::write_clips(output);
    std::vector<fbx::Record> records;
    records.push_back(fbx::header_record());
    records.emplace_back("FileId", as_byte_span(fbx::file_identity));
    records.emplace_back("CreationTime", fbx::creation_time);
    records.emplace_back("Creator", fbx::our_name);
    records.push_back(fbx::settings_record(character));
    records.push_back(fbx::documents_record());
    records.emplace_back("References");
    records.push_back(fbx::definitions_record(output.objects));
    records.push_back(std::move(output.objects));
    records.push_back(std::move(output.connections));
    records.push_back(std::move(output.takes));
    std::vector<OutputFile> files;
    files.push_back({path, fbx::encode_records(records)});
    return files;
}

}  // namespace sinew
