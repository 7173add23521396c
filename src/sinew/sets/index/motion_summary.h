// Motion summary: a whole motion as one list of numbers, which tells what kind of action it is.
// Data flow: rows of a MotionDescription → *here* → motion_index.h compares them.
#pragma once

#include <sinew/math/types.h>
#include <sinew/sets/index/describe_motion.h>
#include <vector>

namespace sinew {

// Of each measure of the body (places and speeds of its parts, heights over the ground, how far hands and feet are
// apart, contacts, its way over the ground): mean and spread, moments in which much moves counting more, and the values
// that 3 % of the moments are below and above. `rows` are not empty.
using MotionSummary = Eigen::ArrayXf;
MotionSummary summarise_motion(const std::vector<MotionRow>& rows);

// What each number of a summary counts in a comparison: one over how much it varies among the summaries, so that
// metres and shares count alike; and parts of the body that have many numbers count as much as those that have one.
MotionSummary summary_weights(const std::vector<MotionSummary>& summaries);

// 0: the same; about 1: two motions of the folder taken at random.
float summary_distance(const MotionSummary& a, const MotionSummary& b, const MotionSummary& weights);

}  // namespace sinew
