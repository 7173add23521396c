#include "http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

namespace sinew::server {
namespace {

constexpr int most_connections = 64;
constexpr int head_milliseconds = 5000, send_milliseconds = 20000;

const char* reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 303:
            return "See Other";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 413:
            return "Content Too Large";
        case 431:
            return "Request Header Fields Too Large";
        default:
            return "Service Unavailable";
    }
}

bool wait_for(int socket, short what, int milliseconds) {
    pollfd waiting{socket, what, 0};
    return ::poll(&waiting, 1, milliseconds) == 1 && (waiting.revents & what) != 0;
}

// The bytes up to the empty line; a status other than 0 where they did not come, or were too many.
int read_head(int socket, std::string& head) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(head_milliseconds);
    std::array<char, 4096> piece{};
    while (head.find("\r\n\r\n") == std::string::npos) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0 || !wait_for(socket, POLLIN, static_cast<int>(left))) return 408;
        const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 400;
        head.append(piece.data(), static_cast<size_t>(got));
        if (head.size() > most_head_bytes) return 431;
    }
    head.resize(head.find("\r\n\r\n") + 2);
    return 0;
}

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        if (!wait_for(socket, POLLOUT, send_milliseconds)) return false;
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
}

void send_file(int socket, const Response& response) {
    std::string piece(1 << 16, '\0');
    uint64_t left = response.file_size;
    while (left > 0) {
        const ssize_t got = ::read(response.file, piece.data(), std::min<uint64_t>(piece.size(), left));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || !send_all(socket, std::string_view(piece).substr(0, static_cast<size_t>(got)))) return;
        left -= static_cast<uint64_t>(got);
    }
}

void answer(int socket, const Response& response, bool with_body) {
    std::string head = fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\n", response.status, reason(response.status));
    for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
    const uint64_t size = response.file >= 0 ? response.file_size : response.body.size();
    if (response.status != 304) head += fmt::format("Content-Length: {}\r\n", size);
    if (send_all(socket, head + "\r\n") && with_body && response.status != 304) {
        if (response.file >= 0)
            send_file(socket, response);
        else
            send_all(socket, response.body);
    }
    if (response.file >= 0) ::close(response.file);
    // What the other side still sends must not make the system throw the answer away.
    ::shutdown(socket, SHUT_WR);
    std::array<char, 1024> rest{};
    constexpr int rest_milliseconds = 200;
    for (int i = 0; i < 64 && wait_for(socket, POLLIN, rest_milliseconds); ++i)
        if (::recv(socket, rest.data(), rest.size(), 0) <= 0) break;
}

void serve(int socket, const HttpServer::Handler& handler) {
    std::string head;
    const int problem = read_head(socket, head);
    if (problem == 0) {
        const ParsedHead parsed = parse_head(head);
        answer(socket,
               parsed.refusal ? text_response(parsed.refusal->status, parsed.refusal->why) : handler(parsed.request),
               parsed.request.method != "HEAD");
    } else if (!head.empty()) {
        answer(socket,
               text_response(problem, problem == 431 ? "the request is too large" : "the request is incomplete"), true);
    }
    ::close(socket);
}

}  // namespace

HttpServer::~HttpServer() {
    if (socket_ >= 0) ::close(socket_);
}

Result<HttpServer> HttpServer::listen(int port) {
    HttpServer server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), 0);
    if (server.socket_ < 0) return fail(ErrorCode::io, fmt::format("cannot listen: {}", std::strerror(errno)));
    const int yes = 1;
    ::setsockopt(server.socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(server.socket_, plain, size) != 0 || ::listen(server.socket_, most_connections) != 0 ||
        ::getsockname(server.socket_, plain, &size) != 0)
        return fail(ErrorCode::io, fmt::format("cannot listen on port {}: {}; choose another port, or leave it out to "
                                               "take any that is free",
                                               port, std::strerror(errno)));
    server.port_ = ntohs(address.sin_port);
    return server;
}

void HttpServer::run(const Handler& handler, int stop) {
    std::atomic<int> open{0};
    while (true) {
        std::array<pollfd, 2> waiting = {pollfd{socket_, POLLIN, 0}, pollfd{stop, POLLIN, 0}};
        if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
        if (waiting[1].revents != 0) break;
        if (!(waiting[0].revents & POLLIN)) continue;
        const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        if (open >= most_connections) {
            ::close(connection);
            continue;
        }
        ++open;
        std::thread([&open, &handler, connection] {
            serve(connection, handler);
            --open;
            open.notify_all();
        }).detach();
    }
    for (int left = open; left > 0; left = open) open.wait(left);
}

}  // namespace sinew::server
