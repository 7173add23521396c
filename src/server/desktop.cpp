#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "studio_server.h"

extern char** environ;

namespace sinew::server {

namespace fs = std::filesystem;

Result<fs::path> find_page() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<fs::path> places = {program / "../share/sinew/studio", program / "../studio"};
    if (const char* given = std::getenv("SINEW_STUDIO")) places.insert(places.begin(), given);
    for (const fs::path& place : places)
        if (fs::exists(place / "index.html", error)) return fs::canonical(place);
    return fail(ErrorCode::not_found, "the studio's page is not installed; script/studio builds it into build/studio");
}

bool open_browser(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY") && !std::getenv("BROWSER")) return false;
    std::string program = "xdg-open", text = address;
    char* const words[] = {program.data(), text.data(), nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const bool started = ::posix_spawnp(&child, words[0], &files, &how, words, environ) == 0;
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (started) std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
    return started;
}

}  // namespace sinew::server
