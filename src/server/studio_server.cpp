#include "studio_server.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include <fmt/format.h>

#include "shared_folder.h"

namespace sinew::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* content_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; style-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::string content_type(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, const char*>, 8> known = {
        {{".html", "text/html; charset=utf-8"},
         {".js", "text/javascript; charset=utf-8"},
         {".css", "text/css; charset=utf-8"},
         {".wasm", "application/wasm"},
         {".json", "application/json"},
         {".svg", "image/svg+xml"},
         {".png", "image/png"},
         {".woff2", "font/woff2"}}};
    for (const auto& [extension, type] : known)
        if (name.ends_with(extension)) return type;
    return "application/octet-stream";
}

// Takes as long for a wrong token as for the right one.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
    return difference == 0;
}

std::string cookie_name(const Studio& studio) {
    return fmt::format("sinew_studio_{}", studio.port);  // cookies do not know ports
}

// Names of this server alone: another site that lets its own name point to 127.0.0.1 is refused.
bool is_own_host(const Studio& studio, std::string_view host) {
    return host == fmt::format("127.0.0.1:{}", studio.port) || host == fmt::format("localhost:{}", studio.port);
}

bool comes_from_own_page(const Studio& studio, const Request& request) {
    constexpr std::string_view scheme = "http://";
    if (!is_own_host(studio, request.header("host"))) return false;
    if (request.headers.contains("origin")) {
        const std::string origin = request.header("origin");
        if (!origin.starts_with(scheme) || origin.substr(scheme.size()) != request.header("host")) return false;
    }
    // Browsers say where a request comes from; "none" is the user's own address bar.
    const std::string site = request.header("sec-fetch-site");
    return site.empty() || site == "same-origin" || site == "none";
}

Response file_response(const Request& request, const OpenFile& file, const std::string& type, const char* caching) {
    Response response{.headers = {{"Content-Type", type}, {"Cache-Control", caching}, {"ETag", file.tag}},
                      .file = file.descriptor,
                      .file_size = file.size};
    if (request.header("if-none-match") == file.tag) response.status = 304;
    return response;
}

Response list_files(const Studio& studio) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    if (!studio.options.folder.empty())
        for (const SharedFile& file : list_shared(studio.options.folder))
            files.push_back({{"name", file.name}, {"size", file.size}});
    nlohmann::ordered_json all = {{"files", files}, {"open", nullptr}};
    if (!studio.options.open.empty()) all["open"] = studio.options.open;
    return {.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
            .body = all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

Response route(const Studio& studio, const Request& request) {
    constexpr std::string_view shared = "/api/file/";
    const std::string& path = request.path;
    if (path == "/api/files") return list_files(studio);
    if (path.starts_with(shared)) {
        if (!studio.options.folder.empty())
            if (const auto file = open_shared(studio.options.folder, path.substr(shared.size())))
                return file_response(request, *file, "application/octet-stream", "no-cache");
        return text_response(404, "there is no such file");
    }
    const std::string name = path == "/" ? "index.html" : path.substr(1);
    // The page's files keep their names when they change: browsers ask again, and are told "not modified".
    if (const auto file = open_below(studio.options.page, name))
        return file_response(request, *file, content_type(name), "no-cache");
    return text_response(404, "there is no such page");
}

// The first visit: the token goes from the address, where it would stay in the history, into a cookie.
Response welcome(const Studio& studio) {
    return {.status = 303,
            .headers = {{"Location", "/"},
                        {"Cache-Control", "no-store"},
                        {"Set-Cookie",
                         fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name(studio), studio.token)}}};
}

Response allowed(const Studio& studio, const Request& request) {
    if (!comes_from_own_page(studio, request)) return text_response(403, "only the studio's own page may ask");
    const auto given = request.query.find("token");
    if (request.path == "/" && given != request.query.end() && same_secret(given->second, studio.token))
        return welcome(studio);
    if (!same_secret(request.cookie(cookie_name(studio)), studio.token))
        return text_response(403, "open the address that `sinew studio` printed");
    return route(studio, request);
}

}  // namespace

Response answer(const Studio& studio, const Request& request) {
    Response response = allowed(studio, request);
    for (const auto& [name, value] :
         {std::pair("Content-Security-Policy", content_policy), std::pair("X-Content-Type-Options", "nosniff"),
          std::pair("Referrer-Policy", "no-referrer"), std::pair("X-Frame-Options", "DENY"),
          std::pair("Cross-Origin-Opener-Policy", "same-origin"),
          std::pair("Cross-Origin-Embedder-Policy", "require-corp"),
          std::pair("Cross-Origin-Resource-Policy", "same-origin")})
        response.headers.emplace_back(name, value);
    return response;
}

Result<std::string> make_token() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return fail(ErrorCode::io, "the system gives no random numbers");
    std::string token;
    for (unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

Result<void> serve_studio(const StudioOptions& options) {
    SINEW_TRY(HttpServer server, HttpServer::listen(options.port));
    SINEW_TRY(std::string token, make_token());
    const Studio studio{options, std::move(token), server.port()};
    std::array<int, 2> stop{};
    if (::pipe(stop.data()) != 0) return fail(ErrorCode::io, "the system gives no pipe");
    // Signals go to this thread alone, which waits for them; the others never see one.
    sigset_t ends, before;
    sigemptyset(&ends);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    std::thread listener([&] { server.run([&](const Request& request) { return answer(studio, request); }, stop[0]); });
    if (options.ready) options.ready(fmt::format("http://127.0.0.1:{}/?token={}", studio.port, studio.token));
    int signal = 0;
    sigwait(&ends, &signal);
    ::close(stop[1]);
    listener.join();
    ::close(stop[0]);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return {};
}

}  // namespace sinew::server
