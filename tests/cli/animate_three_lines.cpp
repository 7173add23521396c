// The main job as a library user writes it. same_bytes_test.py compares what it writes with `sinew animate`.
// Usage: animate_three_lines INPUT MOTION OUTPUT
#include <sinew/io/read.h>
#include <sinew/pipeline/animate.h>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    auto hero = sinew::read_character(argv[1]);
    if (!hero) return 1;
    const auto moved = sinew::animate(*std::move(hero), {argv[2]});
    if (!moved) return std::fputs((to_string(moved.error()) + "\n").c_str(), stderr), 1;
    return sinew::write_character(moved->character, argv[3], moved->write) ? 0 : 1;
}
