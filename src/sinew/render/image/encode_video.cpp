#include <sinew/render/image/encode_video.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sinew/core/file.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

extern char** environ;

namespace sinew {

namespace {

namespace fs = std::filesystem;

// The program's path, or nothing.
std::string find_ffmpeg() {
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const size_t colon = rest.find(':');
        const std::string file = std::string(rest.substr(0, colon)) + "/ffmpeg";
        if (colon != 0 && ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
        rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    }
    return {};
}

tl::unexpected<Error> video_failed(std::string_view why) {
    return fail(ErrorCode::io, fmt::format("ffmpeg did not make the video ({}); try .webp or .gif", why));
}

std::vector<std::string> arguments(const Picture& first, float fps, std::string_view format,
                                   const std::string& output) {
    std::vector<std::string> words = {"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba",
                                      "-video_size", fmt::format("{}x{}", first.width, first.height), "-framerate",
                                      fmt::format("{}", fps), "-i", "-", "-an",
                                      // Most players show only this kind of pixels, which needs even sides.
                                      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"};
    const auto quality = format == "mp4" ? std::vector<std::string>{"-crf", "18", "-movflags", "+faststart"}
                                         : std::vector<std::string>{"-crf", "28", "-b:v", "0"};
    words.insert(words.end(), quality.begin(), quality.end());
    words.insert(words.end(), {"-f", std::string(format), output});
    return words;
}

// Starts the program with `input` as its standard input and nothing to print to.
bool start(const std::string& program, const std::vector<std::string>& words, int input, pid_t& child) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const bool started = ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

// A socket rather than a pipe: writing to a program that has ended is then an error, and no signal.
bool send_all(int socket, std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(static_cast<size_t>(sent));
    }
    return true;
}

// A file of our own that is gone when this is.
struct TemporaryFile {
    std::string path = (fs::temp_directory_path() / "sinew-XXXXXX").string();
    int descriptor = ::mkstemp(path.data());
    ~TemporaryFile() {
        if (descriptor < 0) return;
        ::close(descriptor);
        ::unlink(path.c_str());
    }
};

}  // namespace

bool is_video_format(std::string_view format) {
    return format == "mp4" || format == "webm";
}

Result<void> check_video_encoder() {
    if (!find_ffmpeg().empty()) return {};
    return fail(ErrorCode::unsupported,
                "videos need the program ffmpeg, which is not installed; install it (apt install ffmpeg), or use .webp "
                "or .gif");
}

Result<Bytes> encode_video(std::span<const Picture> pictures, float fps, std::string_view format) {
    SINEW_TRY_VOID(check_video_encoder());
    const TemporaryFile file;
    int ends[2];
    if (file.descriptor < 0) return video_failed("no temporary file could be made");
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return video_failed("no pipe could be made");
    pid_t child = 0;
    const bool started = start(find_ffmpeg(), arguments(pictures[0], fps, format, file.path), ends[1], child);
    ::close(ends[1]);
    bool sent = started;
    for (size_t i = 0; i < pictures.size() && sent; ++i) sent = send_all(ends[0], pictures[i].rgba);
    ::close(ends[0]);
    if (!started) return video_failed("it could not be started");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return video_failed("it ended with an error");
    if (!sent) return video_failed("it stopped reading");
    SINEW_TRY(Bytes bytes, read_file(file.path));
    if (bytes.empty()) return video_failed("it wrote nothing");
    return bytes;
}

}  // namespace sinew
