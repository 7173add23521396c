#include "documents.h"

namespace sinew::web {

int32_t Documents::add(DocumentPtr document) {
    documents_[++last_] = std::move(document);
    return last_;
}

Result<DocumentPtr> Documents::find(int32_t id) const {
    const auto found = documents_.find(id);
    if (found == documents_.end()) return fail(ErrorCode::not_found, "there is no such document; open one first");
    return found->second;
}

int32_t Documents::keep(std::unique_ptr<Prepared> prepared) {
    prepared_[++last_] = std::move(prepared);
    return last_;
}

}  // namespace sinew::web
