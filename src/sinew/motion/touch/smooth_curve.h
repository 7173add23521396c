// Smooth curve: three numbers a frame that are as small as they can be, change smoothly over time, and obey rows of
// equations of single frames. Data flow: settle_body.h, raise_props.h → *here*, step by step.
#pragma once

#include <sinew/math/types.h>
#include <sinew/motion/plant/banded.h>
#include <cmath>
#include <vector>

namespace sinew {

struct SmoothCurveOptions {
    Vec3d own = Vec3d::Ones();                  // the weights of the three numbers themselves
    double spread = 6;                          // frames over which a change spreads
    bool open_start = false, open_end = false;  // where not open, the curve begins and ends at zero
    double longest_step = INFINITY;             // that one step changes a number by
};

class SmoothCurve {
public:
    SmoothCurve(size_t frames, const SmoothCurveOptions& options);

    Vec3d at(size_t frame) const { return x_.segment<3>(static_cast<Eigen::Index>(unknowns * frame)); }

    // Adds weight·(row·x − wanted)² to what the next step minimises.
    void add(size_t frame, const Vec3d& row, double wanted, double weight);
    // Adds weight·(row·x − wanted)² where row·x is less than wanted.
    void add_bound(size_t frame, const Vec3d& row, double wanted, double weight);
    // Minimises what was added since the last step; `damping` is the weight of the step's own length. The greatest
    // change of a number; 0 where there is no solution.
    double step(double damping = 0.0);

private:
    static constexpr size_t unknowns = 3;
    struct Bound {
        size_t frame;
        Vec3d row;
        double wanted, weight;
        bool active;
    };
    void add_own(double damping);
    bool solve_bounded();

    SmoothCurveOptions options_;
    size_t frames_;
    BandedSystem system_;
    std::vector<double> right_, solution_;
    std::vector<Bound> bounds_;
    Eigen::VectorXd x_;
};

}  // namespace sinew
