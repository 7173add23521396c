"""Reads the functions that a C++ header declares, each with the comment that describes it.

A comment describes the declarations that follow it directly, up to the next blank line or comment; a comment behind a
declaration adds to that. This is no C++ parser: it knows namespaces, types, access labels, function bodies,
initialisers and macros, which is all that headers in this style consist of.
"""
import dataclasses
import re


@dataclasses.dataclass
class Function:
    name: str
    line: int
    contract: str
    shown: bool = False  # a member whose body stands on its own line: it says itself what it does


def skip_block(text, i):
    """The index after the brace that closes the one at text[i]."""
    depth = 0
    while i < len(text):
        if text[i] in "\"'":
            i = skip_literal(text, i)
            continue
        if text.startswith("//", i):
            i = text.find("\n", i)
            continue
        depth += (text[i] == "{") - (text[i] == "}")
        i += 1
        if depth == 0:
            break
    return i


def skip_literal(text, i):
    if text[i] == "'" and i > 0 and text[i - 1].isdigit():
        return i + 1  # a digit separator
    end = i + 1
    while text[end] != text[i]:
        end += 2 if text[end] == "\\" else 1
    return end + 1


def function_name(statement, type_name):
    """The function that a statement declares, or None: types, aliases, variables, constructors, operators."""
    statement = re.sub(r"\[\[.*?\]\]", "", statement)
    statement = re.sub(r"^\s*template\s*<.*?>\s*(?=[a-zA-Z:])", "", statement, flags=re.S).strip()
    if re.match(r"(using|typedef|struct|class|enum|union|friend|static_assert|namespace)\b", statement):
        return None
    if re.search(r"=\s*(default|delete)$", statement) or "operator" in statement:
        return None
    head = statement.split("(")[0]
    if "(" not in statement:  # `Deformer deform_rigid`: a function whose type has a name
        by_type = re.fullmatch(r"[A-Z]\w* (\w+)", statement)
        return by_type.group(1) if by_type and not type_name else None
    if "=" in head:
        return None
    name = re.search(r"([~\w]+)\s*$", head)
    if not name or name.group(1).lstrip("~") == type_name:
        return None
    return name.group(1)


def functions(text):
    found = []
    scopes = []  # (kind, name, is public, contract of the group outside)
    contract, i, line_of = "", 0, lambda at: text.count("\n", 0, at) + 1
    while i < len(text):
        if text.startswith("\n", i):
            blank = re.match(r"\n[ \t]*(?=\n)", text[i:])
            if blank:
                contract = ""
            i += 1
        elif text[i].isspace() or text[i] == ";":
            i += 1
        elif text.startswith("//", i):
            lines = re.match(r"(//[^\n]*(\n[ \t]*(?=//))?)+", text[i:]).group(0)
            contract = re.sub(r"\s*\n?\s*//\s*", " ", lines).strip()
            i += len(lines)
        elif text[i] == "#":
            line = re.match(r"(?:[^\n]*\\\n)*[^\n]*", text[i:]).group(0)
            macro = re.match(r"#\s*define (\w*[^_\W])\(", line)
            if macro:
                found.append(Function(macro.group(1), line_of(i), contract))
            i += len(line)
        elif text[i] == "}":
            if scopes:
                contract = scopes.pop()[3]
            i += 1
        elif re.match(r"(public|private|protected):", text[i:]):
            label = re.match(r"\w+", text[i:]).group(0)
            scopes[-1] = (*scopes[-1][:2], label == "public", scopes[-1][3])
            i += len(label) + 1
        else:
            start, statement, parens, body = i, "", 0, None
            while i < len(text):
                c = text[i]
                if c in "\"'":
                    i = skip_literal(text, i)
                    continue
                if text.startswith("//", i):
                    i = text.find("\n", i)
                    continue
                parens += (c == "(") - (c == ")")
                if c == ";" and parens == 0:
                    break
                if c == "{" and parens == 0:
                    head = re.sub(r"\s+", " ", statement).strip()
                    head = re.sub(r"^template <.*?> (?=[a-z])", "", head)
                    scope = re.match(r"(namespace|struct|class|union)\b(?: \w+\(.*?\))? ?([\w:]*)", head)
                    if scope and "(" not in head:
                        public = scope.group(1) != "class"
                        scopes.append((scope.group(1), scope.group(2), public, contract))
                        contract = contract if scope.group(1) == "namespace" else ""
                        statement = None
                        i += 1
                        break
                    begin, i = i, skip_block(text, i)
                    body = text[begin:i]
                    if "(" in head and "=" not in head.split("(")[0]:
                        break  # a function with its body
                    continue
                statement += c
                i += 1
            if statement is None:
                continue
            inner = next((s for s in reversed(scopes) if s[0] != "namespace"), None)
            name = function_name(re.sub(r"\s+", " ", statement).strip(), inner[1] if inner else None)
            behind = re.match(r";?[ \t]*//[ \t]*([^\n]*)", text[i:])
            if name and all(s[2] for s in scopes):
                shown = inner is not None and body is not None and "\n" not in text[start:i]
                found.append(Function(name, line_of(start), f"{contract} {behind.group(1)}".strip() if behind else contract, shown))
            if behind:
                i += len(behind.group(0))
    return found


def self_test():
    text = '''// What this is.
#pragma once
#include <vector>

namespace sinew {

// Says what it does.
int described(int a,  // one
              const std::function<void(int)>& b = {});
double described_too();

void bare();
enum class Kind : int { a, b };

struct Box {
    float width = 0.0f;
    std::vector<float> sizes = {1.0f};
    Box() { width = 1; }
    // Nothing in it.
    bool empty() const { return width <= 0.0f; }

    void bare_member();
    float area() const;  // in square metres
};

// How far two are apart.
template <class T>
T distance(const T& a, const T& b) {
    return a < b ? b - a : a - b;
}

class Hidden {
    void not_public();

public:
    // Makes one.
    static Result<Hidden> create();

private:
    int also_not_public();
};

constexpr size_t count = static_cast<size_t>(3);
using Alias = std::function<void(int)>;
using Deformer = void(int);
Deformer by_type;

// Does a thing to buffers.
struct Buffers {
    int a = 0;
};
void after_its_type(const Buffers& buffers);

#define SINEW_BARE(x) (x)
}  // namespace sinew
'''
    seen = {f.name: f.contract for f in functions(text)}
    expected = {"described": "Says what it does.", "described_too": "Says what it does.", "bare": "", "empty": "Nothing in it.",
                "bare_member": "", "area": "in square metres", "distance": "How far two are apart.", "create": "Makes one.",
                "by_type": "", "after_its_type": "Does a thing to buffers.", "SINEW_BARE": ""}
    assert seen == expected, f"declarations.py reads {seen}"
    assert [f.name for f in functions(text) if f.shown] == ["empty"], "declarations.py: members with their bodies"


if __name__ == "__main__":
    import pathlib
    import sys
    self_test()
    for path in sys.argv[1:]:
        for f in functions(pathlib.Path(path).read_text()):
            print(f"{path}:{f.line}: {f.name}: {f.contract or '(no contract)'}")
