#include <fmt/format.h>

#include <sinew/character/character_deformer.h>
#include <sinew/render/preview.h>
#include <sinew/render/raster/draw.h>
#include <sinew/render/scene/bone_shapes.h>
#include <sinew/render/scene/figure.h>
#include <sinew/render/scene/framing.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

Result<void> check(const Character& character, const PreviewOptions& options) {
    if (options.width < min_picture_side || options.height < min_picture_side || options.width > max_picture_side ||
        options.height > max_picture_side)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a picture of {}x{} is not possible; choose sides from {} to {}", options.width,
                                options.height, min_picture_side, max_picture_side));
    if (options.samples < 1 || options.samples > max_samples)
        return fail(ErrorCode::invalid_argument, fmt::format("samples are out of range; choose 1 to {}", max_samples));
    if (options.views != 1 && options.views != 4)
        return fail(ErrorCode::invalid_argument, "a sheet has 1 or 4 views; choose one of these");
    if (options.times.empty()) return fail(ErrorCode::invalid_argument, "there is no time to show; give at least one");
    for (float time : options.times)
        if (!std::isfinite(time)) return fail(ErrorCode::invalid_argument, "a time is not a number; give seconds");
    constexpr size_t max_bytes = size_t{2} << 30;
    if (options.times.size() >
        max_bytes / (static_cast<size_t>(options.width) * static_cast<size_t>(options.height) * 4))
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("{} pictures of {}x{} need more than 2 GB; lower the size or the frames per second",
                                options.times.size(), options.width, options.height));
    if (!options.turns.empty() && options.turns.size() != options.times.size())
        return fail(ErrorCode::invalid_argument, "turns and times differ in number; give one turn per time or none");
    constexpr float least_zoom = 0.1f, most_zoom = 100.0f, farthest = 100.0f;
    const PreviewCamera& camera = options.camera;
    if (!(options.zoom >= least_zoom && options.zoom <= most_zoom))
        return fail(ErrorCode::invalid_argument, "the zoom is out of range; choose 0.1 to 100");
    if (!(camera.distance > 0.0f && camera.distance <= farthest) || !std::isfinite(camera.azimuth + camera.elevation))
        return fail(ErrorCode::invalid_argument,
                    "the camera is nowhere; choose finite angles and a distance up to 100");
    const auto joints = static_cast<int32_t>(character.skeleton.size());
    if (options.weight_joint >= joints || options.focus_joint >= joints)
        return fail(ErrorCode::invalid_argument, "the joint does not exist; see `sinew info` for those that do");
    return {};
}

void draw_separators(Picture& picture, int32_t cell_width, int32_t cell_height) {
    constexpr uint8_t line[4] = {196, 199, 204, 255};
    for (int32_t y = 0; y < picture.height; ++y) {
        for (int32_t x = 0; x < picture.width; ++x) {
            const bool inside_x = x < cell_width || x >= picture.width - cell_width;
            const bool inside_y = y < cell_height || y >= picture.height - cell_height;
            if (inside_x && inside_y) continue;
            const size_t at = static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x);
            std::copy_n(line, 4, &picture.rgba[4 * at]);
        }
    }
}

// Draws every view of the painter's present moment; views stand in rows of two.
Picture draw_picture(const PreviewOptions& options, Painter& painter, const Shot& shot, size_t number) {
    Picture picture{options.width, options.height, {}};
    picture.rgba.resize(static_cast<size_t>(options.width) * static_cast<size_t>(options.height) * 4);
    const float turn = options.turns.empty() ? 0.0f : options.turns[number];
    for (size_t v = 0; v < shot.views.size(); ++v) {
        const Camera camera = camera_of(shot, v, turn, number);
        const int32_t left = v % 2 == 0 ? 0 : options.width - camera.width;
        const int32_t top = v < 2 ? 0 : options.height - camera.height;
        painter.draw(camera, shot.views[v].angles.azimuth + turn, picture, left, top);
    }
    if (shot.views.size() > 1) draw_separators(picture, shot.views[0].camera.width, shot.views[0].camera.height);
    return picture;
}

std::vector<SceneSurface> one(SceneSurface surface) {
    std::vector<SceneSurface> list;
    list.push_back(std::move(surface));
    return list;
}

}  // namespace

Result<std::vector<Picture>> render_preview(const Character& character, const PreviewOptions& options) {
    SINEW_TRY_VOID(check(character, options));
    Moment moment(character, options);
    moment.set_outline(options.times[0]);
    const Figure figure(character, options, moment.deformed);
    const BoneFigure bones(character.skeleton, shown_joints(character), helper_joints(character));
    const bool bones_only = figure.empty() || (options.bones && !options.skin && !options.weights && !options.wire);
    const bool show_bones = !bones.empty() && (options.bones || bones_only);
    if (figure.empty() && bones.empty())
        return fail(ErrorCode::not_found, "the file has neither triangles nor joints; there is nothing to show");

    const Shot shot =
        frame_motion(character, options, {.figure = bones_only ? nullptr : &figure, .bones = show_bones}, moment);
    if (!shot.has_extent)
        return fail(ErrorCode::not_found,
                    bones_only ? "all its joints are at one point; there is nothing to show"
                               : "all its triangles are one point, or no numbers; there is nothing to show");
    moment.set(options.times[0]);
    const auto joints = [&] { return moment.joints_in_scene(shot.placement); };
    auto surfaces = bones_only ? one(bones.surface(joints())) : figure.surfaces(moment.deformed, shot.placement);
    auto overlay = show_bones && !bones_only ? one(bones.surface(joints())) : std::vector<SceneSurface>{};
    Painter painter(surfaces, overlay, shot.ground, {.samples = options.samples, .wire = options.wire});

    std::vector<Picture> pictures;
    for (size_t i = 0; i < options.times.size(); ++i) {
        report(options.progress, "rendering", static_cast<double>(i) / static_cast<double>(options.times.size()));
        if (i > 0 && options.times[i] != options.times[i - 1]) {
            moment.set(options.times[i]);
            if (bones_only) bones.place(joints(), surfaces[0]);
            if (!bones_only) figure.place(moment.deformed, shot.placement, surfaces);
            if (!overlay.empty()) bones.place(joints(), overlay[0]);
            painter.update();
        }
        pictures.push_back(draw_picture(options, painter, shot, i));
    }
    report(options.progress, "rendering", 1.0);
    return pictures;
}

Result<Picture> tile_pictures(std::span<const Picture> pictures, int32_t columns) {
    if (pictures.empty() || columns < 1)
        return fail(ErrorCode::invalid_argument, "a sheet needs a picture and a column; give one of each at least");
    const int32_t width = pictures[0].width, height = pictures[0].height;
    const auto count = static_cast<int64_t>(pictures.size());
    const int64_t rows = (count + columns - 1) / columns;
    if (int64_t{width} * columns > max_picture_side || height * rows > max_picture_side)
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("a sheet of {} by {} pictures of {}x{} is too large; lower --size or --sheet", columns,
                                rows, width, height));
    Picture sheet{width * columns, height * static_cast<int32_t>(rows), {}};
    sheet.rgba.assign(static_cast<size_t>(sheet.width) * static_cast<size_t>(sheet.height) * 4, 255);
    const auto row_bytes = static_cast<size_t>(width) * 4, sheet_bytes = static_cast<size_t>(sheet.width) * 4;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const size_t column = i % static_cast<size_t>(columns), row = i / static_cast<size_t>(columns);
        for (size_t y = 0; y < static_cast<size_t>(height); ++y)
            std::copy_n(&pictures[i].rgba[y * row_bytes], row_bytes,
                        &sheet.rgba[(row * static_cast<size_t>(height) + y) * sheet_bytes + column * row_bytes]);
    }
    return sheet;
}

}  // namespace sinew
