// Characters made of pieces: in which piece does a bone run? An arm that is a piece of its own follows the arm's bones;
// the trunk that it is stuck into does not. Data flow: Surface, bones → *here* → heat_sources.cpp, boneless_parts.cpp.
#pragma once

#include <sinew/weights/bones/choose_bones.h>

namespace sinew {

class PieceBones {
public:
    PieceBones(size_t pieces, size_t bones) : bones_(bones), foreign_(pieces * bones, 0), holds_(pieces, 0.0) {}
    // Whether the piece has bones of its own and this is none of them. To no piece (−1) no bone is foreign.
    bool is_foreign(int32_t piece, size_t bone) const {
        return piece >= 0 && !foreign_.empty() && foreign_[static_cast<size_t>(piece) * bones_ + bone] != 0;
    }
    // The largest share of its length that any bone has inside the piece.
    double holds(size_t piece) const { return piece < holds_.size() ? holds_[piece] : 0.0; }
    void set_holds(size_t piece, double share) { holds_[piece] = share; }
    void set_foreign(size_t piece, size_t bone) { foreign_[piece * bones_ + bone] = 1; }

private:
    size_t bones_;
    std::vector<uint8_t> foreign_;
    std::vector<double> holds_;
};

// A bone belongs to the pieces that hold most of it: at least half of its length, and no other piece clearly more. (A
// sleeve around an arm holds the bone as well as the arm does.) The next bone of the chain is not foreign either if it
// leaves the piece through an opening, or if it carries the piece's own bone and runs well into the piece. Only the 256
// largest pieces of 16 triangles or more are asked. On a surface of one piece no bone is foreign.
PieceBones piece_bones(const Surface& surface, std::span<const Bone> bones);

}  // namespace sinew
