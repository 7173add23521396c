#include <sinew/core/file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <string>

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string_view advice(int error) {
    switch (error) {
        case ENOENT:
            return "; check the name and the folder";
        case EACCES:
        case EPERM:
            return "; check who may use the file and its folder";
        case ENOSPC:
        case EDQUOT:
            return "; make room on the disk";
        case EROFS:
            return "; choose a folder that can be written to";
        case EMFILE:
        case ENFILE:
            return "; close other programs";
        default:
            return "";
    }
}

tl::unexpected<Error> system_failure(std::string_view what, int error) {
    const ErrorCode code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io;
    return fail(code, fmt::format("{}: {}{}", what, std::strerror(error), advice(error)));
}

// Closes on destruction; the descriptors here never outlive a function.
struct Descriptor {
    int fd = -1;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

// Reads until the end of a stream of unknown length (a pipe), growing geometrically.
Result<Bytes> read_stream(int fd, const Limits& limits) {
    Bytes bytes(1 << 16);
    size_t used = 0;
    while (true) {
        if (used == bytes.size()) bytes.resize(bytes.size() * 2);
        const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_failure("cannot read", errno);
        if (got == 0) break;
        used += static_cast<size_t>(got);
        if (used > limits.max_file_bytes)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the input has more than {} bytes, which is the limit", limits.max_file_bytes));
    }
    bytes.resize(used);
    return bytes;
}

Result<void> write_all(int fd, ByteSpan bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return system_failure("cannot write", errno);
        bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
}

// A name beside the target, so that the final rename stays within one file system. The process id keeps two runs apart.
fs::path temporary_name(const fs::path& target) {
    fs::path name = target;
    name.replace_filename(fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid()));
    return name;
}

// Where the file system can hold a file without a name (O_TMPFILE), the data gets its temporary name only once it is
// complete and on disk: a run that is killed while it writes leaves nothing behind at all.
Result<void> write_temporary(const fs::path& path, ByteSpan bytes) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    Descriptor file{::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)};
    const bool nameless = file.fd >= 0;
    if (!nameless) file.fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file.fd < 0) return system_failure("cannot create the output file", errno);
    SINEW_TRY_VOID(write_all(file.fd, bytes));
    if (::fsync(file.fd) != 0 && errno != EINVAL && errno != EROFS) return system_failure("cannot write", errno);
    if (nameless) {
        ::unlink(path.c_str());
        const std::string link = fmt::format("/proc/self/fd/{}", file.fd);
        if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
            return system_failure("cannot write", errno);
        }
    }
    return {};
}

// Removes the temporaries that are still there when a write did not get to its end.
struct Temporaries {
    std::vector<fs::path> paths;
    ~Temporaries() {
        for (const fs::path& path : paths) ::unlink(path.c_str());
    }
};

}  // namespace

Result<Bytes> read_file(const fs::path& path, const Limits& limits) {
    if (path == "-") return read_stream(STDIN_FILENO, limits);
    Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) return system_failure("cannot open", errno);
    struct stat info {};
    if (::fstat(file.fd, &info) != 0) return system_failure("cannot open", errno);
    if (S_ISDIR(info.st_mode)) return fail(ErrorCode::io, "this is a folder; name a file in it");
    if (!S_ISREG(info.st_mode)) return read_stream(file.fd, limits);
    const auto size = static_cast<uint64_t>(info.st_size);
    if (size > limits.max_file_bytes) {
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("the file has {} bytes; the limit is {}", size, limits.max_file_bytes));
    }
    Bytes bytes(size);
    size_t used = 0;
    while (used < bytes.size()) {
        const ssize_t got = ::read(file.fd, bytes.data() + used, bytes.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_failure("cannot read", errno);
        if (got == 0) break;
        used += static_cast<size_t>(got);
    }
    bytes.resize(used);
    return bytes;
}

Result<void> write_file(const fs::path& path, ByteSpan bytes) {
    if (path == "-") return write_all(STDOUT_FILENO, bytes);
    Temporaries temporaries;
    temporaries.paths.push_back(temporary_name(path));
    SINEW_TRY_VOID(write_temporary(temporaries.paths[0], bytes));
    if (::rename(temporaries.paths[0].c_str(), path.c_str()) != 0) return system_failure("cannot write", errno);
    temporaries.paths.clear();
    return {};
}

Result<void> write_files(std::span<const OutputFile> files) {
    if (files.size() == 1) return write_file(files[0].path, files[0].bytes);
    Temporaries temporaries;
    std::set<fs::path> names;
    for (const OutputFile& file : files) {
        if (!names.insert(file.path.lexically_normal()).second)
            return fail(ErrorCode::invalid_argument, "two outputs have the same name; give each its own");
        if (file.path == "-") {
            return fail(ErrorCode::invalid_argument,
                        "the output consists of several files, and standard output holds one; choose .glb");
        }
        // Images keep the folder that their document names them in, below the document's own.
        const fs::path below = file.path.parent_path().lexically_relative(files.back().path.parent_path());
        std::error_code error;
        if (!below.empty() && *below.begin() != "." && *below.begin() != "..")
            fs::create_directory(file.path.parent_path(), error);
        temporaries.paths.push_back(temporary_name(file.path));
        SINEW_TRY_VOID(write_temporary(temporaries.paths.back(), file.bytes));
    }
    for (size_t i = 0; i < files.size(); ++i) {
        if (::rename(temporaries.paths[i].c_str(), files[i].path.c_str()) != 0) {
            return system_failure("cannot write", errno);
        }
    }
    temporaries.paths.clear();
    return {};
}

}  // namespace sinew
