// The little of HTTP/1.1 that a page on the same machine needs: one GET or HEAD per connection, answered and closed.
// Data flow: a socket → *here* → Request → routes (studio_server.cpp) → Response → the socket.
#pragma once

#include <sinew/core/result.h>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::server {

// Longer heads are refused: a page's own requests have less than 2 KB.
constexpr size_t most_head_bytes = 16 * 1024;

struct Request {
    std::string method;
    std::string path;                            // percent-decoded, without the query
    std::map<std::string, std::string> query;    // decoded
    std::map<std::string, std::string> headers;  // names in lower case; of a name given twice, nothing is kept but ""
    std::string header(const std::string& name) const;
    // Of the Cookie header; empty where there is none.
    std::string cookie(std::string_view name) const;
};

// A file is sent piece by piece.
struct Response {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
    int file = -1;  // a descriptor that is sent instead of the body, and closed
    uint64_t file_size = 0;
};
Response text_response(int status, std::string text);

// The request that a head (all up to the empty line) states; an HTTP status where it is refused: 400 for what is no
// request, 405 for other methods, 413 for one with a body. Encoded slashes, backslashes and zeros in the path are
// refused, as are segments ".." and ".".
struct Refusal {
    int status = 400;
    std::string why;
};
struct ParsedHead {
    Request request;
    std::optional<Refusal> refusal;
};
ParsedHead parse_head(std::string_view head);

// Listens on 127.0.0.1 only, and answers each connection in a thread of its own, of which there are at most 64.
class HttpServer {
public:
    using Handler = std::function<Response(const Request&)>;

    // Port 0: any that is free. Fails where the port is taken.
    static Result<HttpServer> listen(int port);
    HttpServer(HttpServer&& other) noexcept : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}
    ~HttpServer();

    int port() const { return port_; }
    // Until `stop` is readable. Connections that are open then are answered first.
    void run(const Handler& handler, int stop);

private:
    HttpServer(int socket, int port) : socket_(socket), port_(port) {}
    int socket_ = -1, port_ = 0;
};

}  // namespace sinew::server
