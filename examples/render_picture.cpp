// Render a picture: a character at one moment of a motion, with its bones, as a PNG.
//   render_picture [CHARACTER PICTURE.png]
#include <sinew/render/preview.h>
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    sinew::Character hero = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    const char* path = argc > 2 ? argv[2] : "picture.png";
    if (hero.clips.empty()) or_exit(sinew::add_motion(hero, or_exit(sinew::load_motion("walk"))));

    sinew::PreviewOptions options;
    options.width = 240;
    options.height = 320;
    options.bones = true;
    options.clip = &hero.clips.front();
    options.times = {0.4f};  // several times give several pictures, which encode_pictures() can join to a moving one
    const std::vector<sinew::Picture> pictures = or_exit(sinew::render_preview(hero, options));

    const sinew::Bytes png = or_exit(sinew::encode_pictures(pictures, 1.0f, "png"));
    or_exit(sinew::write_file(path, png));
    std::printf("%s: %d x %d\n", path, pictures[0].width, pictures[0].height);
}
// Prints:
// picture.png: 240 x 320
