// sinew studio: Sinew in a browser page, on this machine.
#include <sinew/core/folder.h>
#include <cstdio>

#include <fmt/format.h>

#include "cli.h"
#include "server/studio_server.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path what;
    int port = 0;
    bool open = true;
};

int run(const Common& common, const Options& options) {
    auto page = server::find_page();
    if (!page) return report_error(page.error());
    server::StudioOptions studio{.page = *page, .port = options.port};
    if (!options.what.empty()) {
        if (!path_exists(options.what))
            return report_error({ErrorCode::not_found, "there is no such file or folder", options.what.string()});
        const std::filesystem::path whole = std::filesystem::absolute(options.what).lexically_normal();
        studio.folder = is_folder(whole) ? whole : whole.parent_path();
        if (!is_folder(whole)) studio.open = whole.filename().string();
    }
    studio.ready = [&](const std::string& address) {
        if (common.json)
            print_line(fmt::format("{{\"address\": \"{}\"}}", address));
        else if (!common.quiet)
            print_line(fmt::format("{}\nThe studio runs until you press Ctrl-C.", address));
        std::fflush(stdout);
        if (options.open) server::open_browser(address);
    };
    if (const auto done = server::serve_studio(studio); !done) return report_error(done.error());
    return exit_done;
}

}  // namespace

void add_studio(Program& program) {
    auto options = std::make_shared<Options>();
    Verb verb =
        program.add_verb("studio", "Open Sinew in a browser page, on this machine. Nothing leaves it.",
                         {"sinew studio", "sinew studio hero.glb", "sinew studio my-characters --port 8000 --no-open"},
                         [&program, options] { return run(program.common, *options); });
    verb.add("FILE", options->what, "a file to open, or a folder whose files the page may open");
    verb.add("--port", options->port, "the port to listen on; default: any that is free").between(0, 65535);
    verb.add_flag("--open,!--no-open", options->open, "open the browser (the default), or only print the address");
}

}  // namespace sinew::cli
