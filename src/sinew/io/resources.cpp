#include <fmt/ranges.h>

#include <sinew/core/file.h>
#include <sinew/image/image_type.h>
#include <sinew/io/resources.h>
#include <sinew/io/safe_path.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <filesystem>

namespace sinew {
namespace {

tl::unexpected<Error> cannot_open(std::string_view name, std::string_view why) {
    return fail(ErrorCode::not_found, fmt::format("the file {} cannot be opened: {}", in_quotes(name), why));
}

Result<void> check_path(std::string_view name) {
    if (is_safe_path(name)) return {};
    return fail(ErrorCode::invalid_data,
                fmt::format("the file {} lies outside the folder of the file that names it; copy it there and name it "
                            "without a path",
                            in_quotes(name)));
}

}  // namespace

Result<SharedBytes> fetch_resource(std::string_view name, const ReadOptions& options) {
    SINEW_TRY_VOID(check_path(name));
    if (!options.resources)
        return cannot_open(name, "only one file was given; use a format that holds all in one (.glb)");
    return options.resources(name);
}

std::optional<Image> image_beside(std::vector<std::string> names, const ReadOptions& options) {
    for (std::string& path : names) {
        std::replace(path.begin(), path.end(), '\\', '/');
        for (const std::string& name : {path, path.substr(path.rfind('/') + 1)}) {
            const auto bytes = fetch_resource(name, options);
            if (!bytes) continue;
            return Image{.name = std::filesystem::path(name).stem().string(),
                         .mime_type = std::string(image_mime_type(bytes->view)),
                         .uri = name,
                         .bytes = *bytes,
                         .source = -1};
        }
    }
    return std::nullopt;
}

void warn_of_missing_pictures(const std::vector<std::string>& names, std::vector<std::string>& warnings) {
    if (names.empty()) return;
    constexpr size_t shown = 3;
    std::vector<std::string> first;
    for (size_t i = 0; i < std::min(shown, names.size()); ++i) first.push_back(in_quotes(names[i]));
    if (names.size() == 1)
        warnings.push_back(fmt::format("the texture {} could not be read; put it beside the file", first[0]));
    else
        warnings.push_back(fmt::format("{} textures could not be read ({}{}); put them beside the file", names.size(),
                                       fmt::join(first, ", "), names.size() > shown ? ", …" : ""));
}

ResourceReader files_beside(const std::filesystem::path& main_file, const Limits& limits) {
    return [folder = main_file.parent_path(), limits](std::string_view name) -> Result<SharedBytes> {
        SINEW_TRY_VOID(check_path(name));
        auto bytes = read_file(folder / std::string(name), limits);
        if (!bytes) {
            bytes.error().message = fmt::format("{}: {}", in_quotes(name), bytes.error().message);
            return fail(std::move(bytes).error());
        }
        return SharedBytes::own(*std::move(bytes));
    };
}

ResourceReader no_resources() {
    return [](std::string_view name) -> Result<SharedBytes> {
        return cannot_open(name, "standard input has no folder; give the file by its name");
    };
}

}  // namespace sinew
