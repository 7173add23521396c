// A flock over several processes: each has the boids of a slab of space, and gets those within sight of its borders, the
// halo, from its two neighbours before every step. Built where MPI is found; nothing else needs it.
//   script/bench mpi [BOIDS [STEPS [PROCESSES]]]
#include <mpi.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/flock/boids/flock.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

using namespace sinew;

namespace {

constexpr float tick = 1.0f / 30.0f;
constexpr double spacing = 1.7;         // metres a boid: each sees about a dozen
constexpr double sparse_spacing = 2.8;  // so few that each looks at all its neighbours, in whatever order they come

struct Space {
    double half = 0.0;  // a cube of 2 · half metres
    int processes = 1;
    double from(int process) const { return -half + 2.0 * half * process / processes; }
    // The outermost slabs reach to infinity.
    int process_of(float x) const {
        const double share = (static_cast<double>(x) + half) / (2.0 * half);
        return std::clamp(static_cast<int>(std::floor(share * processes)), 0, processes - 1);
    }
};

std::vector<Boid> make_boids(size_t count, double half) {
    Random random(1);
    std::vector<Boid> boids(count);
    for (size_t i = 0; i < count; ++i) {
        const double x = random.uniform(-half, half), y = random.uniform(-half, half), z = random.uniform(-half, half);
        boids[i].position = Vec3d(x, y, z).cast<float>();
        boids[i].velocity = Vec3(2.0f * std::sin(static_cast<float>(i)), 0.3f * std::cos(static_cast<float>(i)), 3.0f);
        boids[i].id = static_cast<uint32_t>(i);
    }
    return boids;
}

FlockScene scene_of(double half) {
    FlockScene scene;
    scene.bounds.add(Vec3::Constant(static_cast<float>(-half)));
    scene.bounds.add(Vec3::Constant(static_cast<float>(half)));
    return scene;
}

struct Traffic {
    double bytes = 0.0;
};

// Boids to and from one neighbour; `neighbour` may be nobody.
void swap_with(int neighbour, const std::vector<Boid>& out, std::vector<Boid>& in, Traffic& traffic) {
    if (neighbour == MPI_PROC_NULL) return;
    const int sent = static_cast<int>(out.size() * sizeof(Boid));
    int received = 0;
    MPI_Sendrecv(&sent, 1, MPI_INT, neighbour, 0, &received, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    const size_t first = in.size();
    in.resize(first + static_cast<size_t>(received) / sizeof(Boid));
    MPI_Sendrecv(out.data(), sent, MPI_BYTE, neighbour, 1, in.data() + first, received, MPI_BYTE, neighbour, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    traffic.bytes += sent;
}

class Slab {
public:
    Slab(std::vector<Boid> own, const Space& space, int process, const FlockRules& rules)
        : space_(space),
          process_(process),
          rules_(rules),
          own_(std::move(own)),
          flock_({}, rules, scene_of(space.half)) {}

    void step() {
        const int before = process_ > 0 ? process_ - 1 : MPI_PROC_NULL,
                  after = process_ + 1 < space_.processes ? process_ + 1 : MPI_PROC_NULL;
        const auto low = static_cast<float>(space_.from(process_)) + rules_.sight,
                   high = static_cast<float>(space_.from(process_ + 1)) - rules_.sight;
        exchange(before, after, [&](const Boid& boid) { return boid.position.x() < low; },
                 [&](const Boid& boid) { return boid.position.x() >= high; }, halo_, halo_traffic);
        halo_count += static_cast<double>(halo_.size());
        all_ = own_;
        all_.insert(all_.end(), halo_.begin(), halo_.end());
        flock_.set_boids(all_);
        const double start = MPI_Wtime();
        flock_.step(tick);
        best_step = std::min(best_step, MPI_Wtime() - start);
        // What began here is this process's to move; what left goes to where it is now.
        mark_own();
        own_.clear();
        for (const Boid& boid : flock_.boids())
            if (is_own_[boid.id]) own_.push_back(boid);
        const auto gone = [&](int to) {
            return [this, to](const Boid& boid) { return space_.process_of(boid.position.x()) == to; };
        };
        exchange(before, after, gone(before), gone(after), arrived_, move_traffic);
        std::erase_if(own_, [&](const Boid& boid) { return space_.process_of(boid.position.x()) != process_; });
        own_.insert(own_.end(), arrived_.begin(), arrived_.end());
    }

    const std::vector<Boid>& own() const { return own_; }
    Traffic halo_traffic, move_traffic;
    double best_step = INFINITY, halo_count = 0.0;

private:
    template <class Low, class High>
    void exchange(int before, int after, const Low& to_before, const High& to_after, std::vector<Boid>& in,
                  Traffic& traffic) {
        std::vector<Boid> out_before, out_after;
        for (const Boid& boid : own_) {
            if (before != MPI_PROC_NULL && to_before(boid)) out_before.push_back(boid);
            if (after != MPI_PROC_NULL && to_after(boid)) out_after.push_back(boid);
        }
        in.clear();
        // Even processes turn to the one after them first, so that everyone has a partner.
        const bool even = process_ % 2 == 0;
        for (const bool first : {true, false}) {
            const bool turn_after = even == first;
            swap_with(turn_after ? after : before, turn_after ? out_after : out_before, in, traffic);
        }
    }
    void mark_own() {
        for (const Boid& boid : all_) {
            if (boid.id >= is_own_.size()) is_own_.resize(boid.id + 1, false);
            is_own_[boid.id] = false;
        }
        for (const Boid& boid : own_) is_own_[boid.id] = true;
    }

    Space space_;
    int process_;
    FlockRules rules_;
    std::vector<Boid> own_, halo_, arrived_, all_;
    std::vector<bool> is_own_;  // by id
    Flock flock_;
};

// The largest difference to the same flock in one process, after one step. Sums over neighbours are in another order.
double difference_to_one(const std::vector<Boid>& all, const Space& space, int process, const FlockRules& rules) {
    std::vector<Boid> own;
    for (const Boid& boid : all)
        if (space.process_of(boid.position.x()) == process) own.push_back(boid);
    Slab slab(std::move(own), space, process, rules);
    slab.step();
    Flock one(all, rules, scene_of(space.half));
    one.step(tick);
    std::vector<Boid> expected(all.size());
    one.sort_by_id(expected);
    double worst = 0.0;
    for (const Boid& boid : slab.own())
        worst = std::max(worst, static_cast<double>((boid.position - expected[boid.id].position).norm()));
    double all_worst = 0.0, count = static_cast<double>(slab.own().size()), all_count = 0.0;
    MPI_Allreduce(&worst, &all_worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&count, &all_count, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all_count == static_cast<double>(all.size()) ? all_worst : INFINITY;
}

// So many bytes to the neighbour and back from it, nobody waiting for anybody: the best of many.
double best_exchange(int process, int processes, size_t bytes) {
    if (processes < 2) return 0.0;
    const int neighbour = process % 2 == 0 ? (process + 1 < processes ? process + 1 : MPI_PROC_NULL) : process - 1;
    std::vector<std::byte> out(bytes), in(bytes);
    double best = INFINITY;
    for (int i = 0; i < 50; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        MPI_Sendrecv(out.data(), static_cast<int>(bytes), MPI_BYTE, neighbour, 2, in.data(), static_cast<int>(bytes),
                     MPI_BYTE, neighbour, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        best = std::min(best, MPI_Wtime() - start);
    }
    return best;
}

double sum_over_all(double value) {
    double sum = 0.0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int process = 0, processes = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    set_thread_count(1);  // one process is one core here
    const size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
    const Space space{0.5 * spacing * std::cbrt(static_cast<double>(count)), processes};
    const FlockRules rules;
    const std::vector<Boid> all = make_boids(count, space.half);

    const size_t few = std::min<size_t>(count, 20'000);
    const Space small{0.5 * sparse_spacing * std::cbrt(static_cast<double>(few)), processes};
    const double off = difference_to_one(make_boids(few, small.half), small, process, rules);

    std::vector<Boid> own;
    for (const Boid& boid : all)
        if (space.process_of(boid.position.x()) == process) own.push_back(boid);
    Slab slab(std::move(own), space, process, rules);
    slab.step();  // the first makes room
    slab.halo_traffic = slab.move_traffic = {}, slab.best_step = INFINITY, slab.halo_count = 0.0;
    for (int i = 0; i < steps; ++i) slab.step();
    const double per = 1.0 / steps;
    const double halo = sum_over_all(slab.halo_count) * per, sent = sum_over_all(slab.halo_traffic.bytes) * per,
                 moved = sum_over_all(slab.move_traffic.bytes) * per;
    const double stepping = sum_over_all(slab.best_step) / processes;
    const auto one_way = static_cast<size_t>((sent + moved) / std::max(1, 2 * (processes - 1)));
    const double exchange = best_exchange(process, processes, one_way);
    if (process == 0) {
        fmt::print("{} boids, {} processes, {} steps\n", count, processes, steps);
        fmt::print("  after one step {:.1e} m from one process at most\n", off);
        fmt::print("  the flock {:.1f} ms a step at best; {} kB across each border {:.2f} ms at best, {:.2f} %\n",
                   1e3 * stepping, one_way / 1000, 1e3 * exchange, 100.0 * exchange / (stepping + exchange));
        fmt::print("  halo {:.0f} boids, {:.2f} % of all; {:.1f} kB a step are boids that moved on\n", halo,
                   100.0 * halo / static_cast<double>(count), moved / 1e3);
    }
    MPI_Finalize();
}
