// The studio on this machine: serves the page and the files of one folder to one browser, on 127.0.0.1 alone.
// Data flow: `sinew studio` → *here* → a browser.
//
// Another site cannot use it: every request needs the token that was printed (once in the address, then in a cookie),
// the right Host, and where a browser names one, the right Origin. The page may load nothing from anywhere else.
#pragma once

#include <sinew/core/result.h>
#include <filesystem>
#include <functional>
#include <string>

#include "http.h"

namespace sinew::server {

struct StudioOptions {
    std::filesystem::path page;         // the folder with index.html
    std::filesystem::path folder = {};  // whose files the page may read; empty: none
    std::string open = {};              // the file in it that the page opens first; empty: none
    int port = 0;                       // 0: any that is free
    // Called when it listens.
    std::function<void(const std::string& address)> ready = {};
};

// Until the process gets SIGINT (Ctrl-C), SIGTERM or SIGHUP.
Result<void> serve_studio(const StudioOptions& options);

// What answers a request. For tests, and for serve_studio.
struct Studio {
    StudioOptions options;
    std::string token;
    int port = 0;
};
Response answer(const Studio& studio, const Request& request);

// 128 random bits as text.
Result<std::string> make_token();

// The folder of the page beside this program: as installed, or as built. Fails where there is none.
Result<std::filesystem::path> find_page();

// Asks the desktop to show an address. False where there is no desktop.
bool open_browser(const std::string& address);

}  // namespace sinew::server
