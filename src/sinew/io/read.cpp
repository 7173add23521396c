#include <fmt/format.h>

#include <sinew/core/file.h>
#include <sinew/core/folder.h>
#include <sinew/io/assimp/assimp.h>
#include <sinew/io/fbx/fbx.h>
#include <sinew/io/gltf/gltf.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/io/mocap/bvh.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/read.h>
#include <sinew/io/resources.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <array>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> known_formats = {"glb", "gltf", "vrm", "vrma", "obj", "bvh", "asf",
                                                            "amc", "fbx",  "dae", "ply",  "stl", "off"};

bool is_known(std::string_view format) {
    return std::find(known_formats.begin(), known_formats.end(), format) != known_formats.end();
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

// "glb" of "Model.GLB".
std::string format_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    return extension.empty() ? extension : lower(std::string_view(extension).substr(1));
}

// The format that the first bytes speak of; empty when they say nothing.
std::string_view sniff(ByteSpan bytes) {
    const std::string_view head = as_text(bytes.first(std::min<size_t>(bytes.size(), 4096)));
    if (head.starts_with("glTF")) return "glb";
    if (head.starts_with("Kaydara FBX Binary") || head.find("; FBX") != std::string_view::npos) return "fbx";
    TextScan scan(head, {.hash_comments = false, .backslash_continues = false});
    if (!scan.next_line()) return {};
    const std::string_view line = scan.rest_of_line();
    const auto starts = [line](std::string_view start) { return starts_ignoring_case(line, start); };
    if (starts("{")) return "gltf";
    if (starts("HIERARCHY")) return "bvh";
    if (line == "ply") return "ply";
    if (line.starts_with("OFF") || line.starts_with("COFF") || line.starts_with("NOFF")) return "off";
    if (starts("solid")) return "stl";
    if (head.find("<COLLADA") != std::string_view::npos) return "dae";
    if (starts(":version") || starts("# AST/ASF") || head.find("\n:version") != std::string_view::npos) return "asf";
    if (head.find(":FULLY-SPECIFIED") != std::string_view::npos || head.find(":DEGREES") != std::string_view::npos)
        return "amc";
    TextScan words(head, {});
    while (words.next_line()) {
        const std::string_view word = words.word();
        if (word == "v" || word == "vn" || word == "vt" || word == "mtllib" || word == "o" || word == "g") return "obj";
        if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos) break;
    }
    return {};
}

// glTF's four names are one format.
bool same_family(std::string_view a, std::string_view b) {
    const auto is_gltf = [](std::string_view f) { return f == "glb" || f == "gltf" || f == "vrm" || f == "vrma"; };
    return a == b || (is_gltf(a) && is_gltf(b));
}

tl::unexpected<Error> unknown_format(std::string_view extension) {
    const std::string what = extension.empty() ? "the file's format is not recognised"
                                               : fmt::format("files of type {} cannot be read", in_quotes(extension));
    return fail(ErrorCode::unsupported, fmt::format("{}; Sinew reads {}", what, fmt::join(known_formats, ", ")));
}

// The subject's number in the database's names: "07" of "07_05-walk".
std::string subject_of(const fs::path& path) {
    const std::string stem = path.stem().string();
    return stem.substr(0, stem.find_first_of("_-"));
}

Result<fs::path> find_skeleton(const fs::path& amc) {
    std::vector<fs::path> candidates;
    const fs::path folder = amc.has_parent_path() ? amc.parent_path() : fs::path(".");
    if (const auto files = files_in(folder))
        for (const fs::path& path : *files)
            if (format_of(path) == "asf") candidates.push_back(path);
    for (const fs::path& path : candidates)
        if (path.stem() == amc.stem()) return path;
    for (const fs::path& path : candidates)
        if (subject_of(path) == subject_of(amc)) return path;
    if (candidates.size() == 1) return candidates[0];
    return fail(
        ErrorCode::not_found,
        candidates.empty()
            ? "an .amc motion needs its .asf skeleton; put it in the same folder"
            : "none of the .asf skeletons in the folder has this motion's name or number; give the right one its name");
}

Result<Character> read_motion_capture(SharedBytes amc, const ReadOptions& options) {
    if (options.skeleton.empty())
        return fail(ErrorCode::not_found,
                    "an .amc motion needs its .asf skeleton; set ReadOptions::skeleton, or read it by its path from "
                    "the skeleton's folder");
    auto asf = read_file(options.skeleton, options.limits);
    if (!asf)
        return fail(asf.error().code,
                    fmt::format("the skeleton {}: {}", in_quotes(options.skeleton.string()), asf.error().message));
    return read_amc(std::move(amc), SharedBytes::own(*std::move(asf)), options);
}

// Names that programs give to every motion they write: the file's name says more.
bool says_nothing(std::string_view clip) {
    constexpr std::string_view numbered = "Take ";
    if (clip.empty() || clip == "mixamo.com" || clip == "Unreal Take") return true;
    return clip.starts_with(numbered) &&
           clip.find_first_not_of("0123456789", numbered.size()) == std::string_view::npos;
}

// Names that formats without any take from the file's. A glTF's parts keep theirs, or none: what is read is what is
// written back.
void name_after(const fs::path& path, Character& character) {
    const std::string stem = path == "-" ? "stdin" : path.stem().string();
    if (character.name.empty()) character.name = stem;
    if (character.source) return;
    if (character.clips.size() == 1 && says_nothing(character.clips[0].name)) character.clips[0].name = stem;
    if (character.meshes.size() == 1 && character.meshes[0].name.empty()) character.meshes[0].name = stem;
}

}  // namespace

Result<Character> read_character(SharedBytes bytes, std::string_view format, const ReadOptions& options) {
    const std::string wanted = lower(format);
    const std::string_view known = is_known(wanted) ? std::string_view(wanted) : sniff(bytes.view);
    if (bytes.view.size() > options.limits.max_file_bytes)
        return fail(ErrorCode::limit_exceeded, fmt::format("the file has {} bytes; the limit is {}", bytes.view.size(),
                                                           options.limits.max_file_bytes));
    if (bytes.view.empty()) return fail(ErrorCode::invalid_data, "the file is empty; export or copy it again");
    if (known == "glb" || known == "gltf" || known == "vrm" || known == "vrma")
        return read_gltf(std::move(bytes), options);
    if (known == "obj") return read_obj(std::move(bytes), options);
    if (known == "bvh") return read_bvh(std::move(bytes), options);
    if (known == "asf") return read_asf(std::move(bytes), options);
    if (known == "amc") return read_motion_capture(std::move(bytes), options);
    if (known == "fbx") return read_fbx(std::move(bytes), options);
    if (assimp_reads(known)) return read_with_assimp(std::move(bytes), known, options);
    return unknown_format(format);
}

Result<Character> read_character(const fs::path& path, const ReadOptions& options) {
    SINEW_TRY(Bytes bytes, read_file(path, options.limits));
    ReadOptions own = options;
    if (!own.resources) own.resources = path == "-" ? no_resources() : files_beside(path, options.limits);
    std::string format = format_of(path);
    if (!is_known(format)) {
        const std::string_view sniffed = sniff(bytes);
        if (sniffed.empty()) return unknown_format(format);
        format = sniffed;
    }
    if (format == "amc" && own.skeleton.empty()) {
        SINEW_TRY(own.skeleton, find_skeleton(path));
    }
    const std::string_view contents = sniff(bytes);
    auto character = read_character(SharedBytes::own(std::move(bytes)), format, own);
    if (!character) {
        if (!contents.empty() && !same_family(contents, format))
            character.error().message = fmt::format("{} (it looks like a .{} file; rename it if it is one)",
                                                    character.error().message, contents);
        return character;
    }
    name_after(path, *character);
    return character;
}

}  // namespace sinew
