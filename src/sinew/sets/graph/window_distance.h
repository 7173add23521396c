// Window distance: how unlike two moments are, with what happens around them, wherever on the ground they take place.
// Data flow: poses of a clip → point clouds → *here* → motion_graph.h.
#pragma once

#include <sinew/motion/retarget/motion_body.h>
#include <sinew/skeleton/pose.h>
#include <Eigen/Core>
#include <span>

namespace sinew {

// The joints of each frame's window as points, a column per frame that has a whole window (from graph_reach to
// frames − graph_reach − 1), in metres; x and z measured from the window's own middle.
struct WindowClouds {
    Eigen::MatrixXf x, y, z;
    Eigen::RowVectorXf power;  // the mean of x² + y² + z²
};
WindowClouds make_clouds(const Body& body, std::span<const Pose> poses);

// min over a turn about the vertical and a shift over the ground of the root mean square distance of the points
// [Kovar2002 eq. 1]: with both clouds about their middles the best turn is known in closed form, so all pairs are three
// products.
Eigen::MatrixXf cloud_distances(const WindowClouds& a, const WindowClouds& b);

}  // namespace sinew
