// Documents: the characters that a page has open, by number. They are never changed in place, so that a copy costs
// nothing and a failed operation changes nothing. Solvers, players and painters live beside them.
// Data flow: call.h → *here*.
#pragma once

#include <sinew/character/character.h>
#include <sinew/io/write.h>
#include <map>
#include <memory>
#include <string>

namespace sinew::web {

struct Document {
    Character character;
    WriteOptions write = {};
    std::string file = {};  // where it was read from one
};
using DocumentPtr = std::shared_ptr<const Document>;

// What an operation prepared for others to use again. `kind` says which of the types below it is: T::own_kind.
enum class PreparedKind : uint8_t { solver, player, painter };
struct Prepared {
    explicit Prepared(PreparedKind kind) : kind(kind) {}
    virtual ~Prepared() = default;
    PreparedKind kind;
};

class Documents {
public:
    int32_t add(DocumentPtr document);
    Result<DocumentPtr> find(int32_t id) const;
    // The document of this number is another one from now on.
    void set(int32_t id, DocumentPtr document) { documents_[id] = std::move(document); }
    void close(int32_t id) { documents_.erase(id); }

    int32_t keep(std::unique_ptr<Prepared> prepared);
    template <class T>
    Result<T*> prepared(int32_t id) const {
        const auto found = prepared_.find(id);
        if (found == prepared_.end() || found->second->kind != T::own_kind)
            return fail(ErrorCode::not_found, "there is no such solver, player or painter; begin one first");
        return static_cast<T*>(found->second.get());
    }
    void drop(int32_t id) { prepared_.erase(id); }

private:
    int32_t last_ = 0;
    std::map<int32_t, DocumentPtr> documents_;
    std::map<int32_t, std::unique_ptr<Prepared>> prepared_;
};

}  // namespace sinew::web
