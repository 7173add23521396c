"""`sinew studio`: what its server gives, and to whom. Speaks HTTP over a socket, so that no library tidies up what a
stranger would send. Usage: studio_test.py SINEW"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

from support import Checks

checks = Checks()
program = str(pathlib.Path(sys.argv[1]).resolve())
PAGE = b"<!doctype html><title>studio</title>"


class Server:
    def __init__(self, folder, page, *words):
        environment = {**os.environ, "SINEW_STUDIO": str(page)}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            environment.pop(name, None)
        self.process = subprocess.Popen([program, "studio", *map(str, words), "--no-open", "--json"], cwd=folder, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"sinew studio did not start: {self.process.stderr.read().decode()}")
        self.address = json.loads(line)["address"]
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]
        self.cookie = f"sinew_studio_{self.port}={self.token}"

    def raw(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            try:
                connection.sendall(request)
            except (BrokenPipeError, ConnectionResetError):
                pass
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        return int(lines[0].split()[1]) if lines[0] else 0, headers, body

    def get(self, target, *, host=None, cookie=True, method="GET", **headers):
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if cookie:
            lines.append(f"Cookie: other=1; {self.cookie if cookie is True else cookie}")
        return self.raw(("\r\n".join(lines) + "\r\n\r\n").encode())

    def status(self, *words, **options):
        return self.get(*words, **options)[0]

    def stop(self, with_signal=signal.SIGINT):
        self.process.send_signal(with_signal)
        return self.process.wait(timeout=30)


def check_first_visit(server):
    status, headers, _ = server.get(f"/?token={server.token}", cookie=False)
    checks.check(status == 303 and headers.get("location") == "/", f"the token's address leads to the page: {status}")
    cookie = headers.get("set-cookie", "")
    checks.check(all(word in cookie for word in (server.token, "httponly", "samesite=strict", "path=/")), f"the cookie: {cookie}")
    status, headers, body = server.get("/")
    checks.check(status == 200 and body == PAGE and headers["content-type"].startswith("text/html"), "the page comes with the cookie")
    policy = headers.get("content-security-policy", "")
    checks.check("default-src 'none'" in policy and "script-src 'self' 'wasm-unsafe-eval';" in policy and "unsafe-inline" not in policy,
                 f"a strict policy: {policy}")
    checks.check(headers.get("x-content-type-options") == "nosniff" and headers.get("x-frame-options") == "deny", "no sniffing, no frames")
    checks.check(len(server.token) == 32, "128 bits of token")


def check_strangers(server):
    for target in ("/", "/core/sinew.wasm", "/api/files", "/api/file/hero.obj"):
        checks.check(server.status(target, cookie=False) == 403, f"{target} without a token is refused")
        checks.check(server.status(target, cookie=f"sinew_studio_{server.port}={'0' * 32}") == 403, f"{target} with a wrong token is refused")
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1:{server.port}.evil.example"):
            checks.check(server.status(target, host=host) == 403, f"{target} for the host {host} is refused")
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port}", f"http://127.0.0.1:{server.port + 1}"):
            checks.check(server.status(target, Origin=origin) == 403, f"{target} from {origin} is refused")
        for site in ("cross-site", "same-site"):
            checks.check(server.status(target, Sec_Fetch_Site=site) == 403, f"{target} from a {site} page is refused")
    checks.check(server.status("/", Origin=f"http://127.0.0.1:{server.port}", Sec_Fetch_Site="same-origin") == 200, "its own page may ask")
    checks.check(server.status("/", host=f"localhost:{server.port}") == 200, "localhost is this machine too")
    checks.check(server.status(f"/api/files?token={server.token}", cookie=False) == 403, "the token counts in the page's address alone")
    status, _, _ = server.raw(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\nCookie: {server.cookie}\r\n\r\n".encode())
    checks.check(status == 403, "two hosts are none")
    with socket.socket() as other:
        other.settimeout(2)
        mine = [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET) if not info[4][0].startswith("127.")]
        for address in mine[:1]:
            checks.check(other.connect_ex((address, server.port)) != 0, "nobody is let in from the network")


def check_folder(server):
    status, _, body = server.get("/api/files")
    listed = json.loads(body)
    names = [entry["name"] for entry in listed["files"]]
    checks.check(status == 200 and names == ["a b.obj", "hero.obj", "textures/skin.png"], f"only files of the folder are listed: {names}")
    checks.check(listed["open"] == "hero.obj", "the file to open is named")
    status, headers, body = server.get("/api/file/hero.obj")
    checks.check(status == 200 and body == b"v 0 0 0\n" and headers["content-length"] == "8", "a file of the folder")
    checks.check(server.get("/api/file/a%20b.obj")[2] == b"two", "a name with a space")
    checks.check(server.get("/api/file/textures/skin.png")[2] == b"png", "a file in a folder of it")
    for path in ("/api/file/../secret.obj", "/api/file/..%2fsecret.obj", "/api/file/%2e%2e/secret.obj", "/api/file/%2e%2e%2fsecret.obj",
                 "/api/file/textures/../../secret.obj", "/api/file//etc/passwd", "/api/file/%2fetc%2fpasswd", "/api/file/..%5csecret.obj",
                 "/api/file/textures%2fskin.png", "/api/file/%252e%252e/secret.obj", "/api/file/hero.obj%00.png", "/api/file/link.obj",
                 "/api/file/out/secret.obj", "/api/file/.hidden.obj", "/api/file/notes.txt", "/api/file/pipe.obj", "/api/file/textures",
                 "/api/file/", "/../secret.obj", "/%2e%2e/secret.obj", "/..%2f..%2fetc/passwd", "/core/../../secret.obj", "/out.js", "/etc/passwd"):
        status, _, body = server.get(path)
        checks.check(status in (400, 404) and b"secret" not in body, f"{path} is refused: {status}")


def check_large(server):
    cookie = f"Cookie: {server.cookie}\r\n"
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    checks.check(server.status("/" + "a" * 100_000) == 431, "a long address is refused")
    checks.check(server.raw(f"GET / HTTP/1.1\r\n{host}{cookie}X: {'a' * 1_000_000}\r\n\r\n".encode())[0] == 431, "a long header is refused")
    checks.check(server.raw(f"GET / HTTP/1.1\r\n{host}{cookie}Content-Length: 9999999999\r\n\r\n".encode())[0] == 413, "a body is refused")
    checks.check(server.raw(f"GET / HTTP/1.1\r\n{host}{cookie}Transfer-Encoding: chunked\r\n\r\n".encode())[0] == 413, "a chunked body is refused")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT"):
        checks.check(server.status("/", method=method) == 405, f"{method} is refused")
    for rubbish in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET / SPDY/9\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n"):
        checks.check(server.raw(rubbish)[0] == 400, f"{rubbish!r} is no request")
    # Connections that say nothing, as browsers open them, keep nobody waiting.
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    checks.check(server.status("/") == 200, "silent connections keep nobody waiting")
    for connection in silent:
        connection.close()


def check_caching(server):
    status, headers, body = server.get("/core/sinew.wasm")
    checks.check(status == 200 and headers["content-type"] == "application/wasm" and body == b"\0asm", "the core, as what it is")
    checks.check(headers["cache-control"] == "no-cache" and headers["etag"], "browsers ask whether it changed")
    again = server.get("/core/sinew.wasm", If_None_Match=headers["etag"])
    checks.check(again[0] == 304 and again[2] == b"", "and are told that it did not")
    checks.check(server.get("/core/sinew.wasm", If_None_Match='"other"')[0] == 200, "or that it did")
    status, headers, body = server.get("/core/sinew.wasm", method="HEAD")
    checks.check(status == 200 and headers["content-length"] == "4" and body == b"", "HEAD has no body")
    checks.check(server.get("/api/files")[1]["cache-control"] == "no-store", "lists of files are not kept")


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    shared, page = folder / "shared", folder / "page"
    (shared / "textures").mkdir(parents=True)
    (page / "core").mkdir(parents=True)
    (page / "index.html").write_bytes(PAGE)
    (page / "core/sinew.wasm").write_bytes(b"\0asm")
    (shared / "hero.obj").write_text("v 0 0 0\n")
    (shared / "a b.obj").write_text("two")
    (shared / "textures/skin.png").write_text("png")
    (shared / "notes.txt").write_text("secret")
    (shared / ".hidden.obj").write_text("secret")
    (folder / "secret.obj").write_text("secret")
    (folder / "out").mkdir()
    (folder / "out/secret.obj").write_text("secret")
    (shared / "link.obj").symlink_to(folder / "secret.obj")
    (shared / "out").symlink_to(folder / "out")
    (page / "out.js").symlink_to(folder / "secret.obj")
    os.mkfifo(shared / "pipe.obj")

    server = Server(folder, page, shared / "hero.obj")
    try:
        check_first_visit(server)
        check_strangers(server)
        check_folder(server)
        check_large(server)
        check_caching(server)
        taken = subprocess.run([program, "studio", "--no-open", "--port", str(server.port)], env={**os.environ, "SINEW_STUDIO": str(page)},
                               capture_output=True)
        checks.check(taken.returncode == 1 and b"choose another port" in taken.stderr, f"a port that is taken is told: {taken.stderr}")
    finally:
        code = server.stop()
    checks.check(code == 0, f"Ctrl-C ends it well: {code}")

    bare = Server(folder, page)
    listed = json.loads(bare.get("/api/files")[2])
    checks.check(listed == {"files": [], "open": None}, "without a folder there are no files")
    checks.check(bare.status("/api/file/hero.obj") == 404, "and none is given")
    checks.check(bare.token != server.token, "every run has a token of its own")
    checks.check(bare.stop(signal.SIGTERM) == 0, "so does the end of the session")

    whole = Server(folder, page, shared)
    checks.check(json.loads(whole.get("/api/files")[2])["open"] is None, "a folder opens no file")
    whole.stop()
    missing = subprocess.run([program, "studio", str(folder / "nothing.obj"), "--no-open"], env={**os.environ, "SINEW_STUDIO": str(page)},
                             capture_output=True)
    checks.check(missing.returncode == 1 and missing.stderr.startswith(b"sinew: "), "a missing file is told")
checks.finish()
