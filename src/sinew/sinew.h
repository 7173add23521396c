// Sinew's front door: `#include <sinew/sinew.h>` brings the common part, and the table below says what else there is.
// Data flow: a file → Character → rig, bind, animate → Character → deform → your vertices, a picture, a file.
//
// Everything is in namespace sinew: plain data and free functions. What depends on a file or a user returns a Result;
// nothing throws or prints. Each header begins with what it is for. Headers marked * come with this one; [names] are
// programs in examples/ that show how it is done.
//
// Basics, behind every door
//   errors as values                             * core/result.h
//   bytes in memory, files, progress               core/bytes.h, core/file.h, * core/progress.h
//   how many threads Sinew uses                    core/parallel.h
//   vectors, quaternions, matrices, transforms   * math/types.h, * math/transform.h
//
// Run time: load, sample, skin into my buffers
//   I have                  I want                                 header                       [example]
//   a file                  a Character                          * io/read.h                    [load_and_describe]
//   a Character             its parts, as plain data             * character/character.h
//                             its mesh                           * mesh/mesh.h
//                             its joints                         * skeleton/skeleton.h
//                             its blend shapes                   * morph/morph.h
//                             its skin: joints and weights       * skin/influences.h
//                             its clips; at a time, a Pose       * clip/clip.h
//   a Pose                  the joints' matrices                 * skeleton/pose.h
//   a clip                  a form that is small and fast          clip/compiled/compiled_clip.h
//   those, and a crowd      a palette for each character           clip/runtime/crowd.h         [stampede]
//   several poses           them mixed; a switch without a pop     clip/runtime/blend.h
//   states, as JSON         which clips to play and how much       clip/runtime/state_machine.h
//   a Character and a Pose  its vertices, in my own buffers      * character/character_deformer.h [skin_into_buffer]
//                             how these buffers are laid out       skin/vertex_stream.h
//   a bound mesh            a form made for speed                  skin/compiled/compiled_skin.h
//   that, and matrices      its vertices, in my own buffers        skin/compiled/compiled_deform.h
//   a palette of matrices   rows for a texture, and a shader       skin/gpu/gpu_skinning.h      [gpu_palette]
//
// Pipeline: rig, bind, animate, check, each in one call with a report
//   a mesh and a motion     a moving character, rigged if bare   * pipeline/animate.h           [animate]
//   a motion, a character   the motion on the character          * pipeline/retarget_character.h [retarget]
//   a character, targets    it in a pose: hands, feet where I want * pipeline/pose_character.h   [pose]
//   a character with clips  them cut, joined, layered, shaped      pipeline/edit/edit_clips.h
//   a bare mesh             a skeleton and weights in it         * pipeline/rig_character.h     [rig_with_hints]
//   a mesh and a skeleton   weights by a method of my choice     * pipeline/bind_character.h    [bind_with_method]
//   a bound character       its weights mirrored, smoothed, …      pipeline/edit_weights.h
//   a scene file            what falls, hangs and flows, as a clip   pipeline/simulate/simulate.h  [simulate]
//   a character             numbers and names: what is in it     * pipeline/info.h              [load_and_describe]
//   a character, a number   a crowd of it, as one character          pipeline/crowd/crowd_file.h
//   a rigged character      a report card: what is wrong with it   pipeline/check/check_character.h
//   a character and a clip  its deformed vertices, as a file;      pipeline/bake.h
//                             pictures of it, as files
//   a character             a picture or a moving one              render/preview.h             [render_picture]
//   a Character             a file                               * io/write.h                   [animate]
//   nothing                 a character to try things on         * sample/sample.h
//
// Algorithms: one at a time, on plain data
//   a mesh and a skeleton   skin weights, with a report            weights/weights.h            [compute_weights]
//   a mesh                  a skeleton that fits it                rig/fit_skeleton.h
//   a rig of my own         it, as a template for others; kinds    rig/template/rig_template.h
//   a joint                 its name in Mixamo, Unreal, …          rig/joint_names.h
//   a skeleton              which joint is the left elbow        * skeleton/humanoid.h
//   a clip of one skeleton  a clip of another one                * motion/retarget.h
//   a clip with noise       it clean: spikes, gaps, sliding feet     sets/clean/clean_clip.h
//   clips of one skeleton   where one goes on as another            sets/graph/motion_graph.h
//   that, and a path        a clip that walks along it              sets/graph/path_walk.h
//   walks of one skeleton   a walk at my speed, turn and slope      sets/blend/parametric_motion.h
//   clips, a goal per frame a character that chooses its frames      sets/match/motion_matching.h [follow_path]
//   a limb and a target     the bends that reach it (two bones)    ik/two_bone.h
//   goals for any joints    a pose that reaches them               ik/ik.h                      [inverse_kinematics]
//   a skinned body, a drag  a pose in which all of it follows      ik/elastic/elastic_pose.h
//   forces and masses       where they go, by five methods         physics/integrate/integrator.h
//   a name                  a walk, a run, a jump, … as a clip   * motion/builtin.h
//   weights and matrices    a skin bent by a deformer, or by mine  skin/deform.h                [new_deformer]
//   a flock of points       where each flies next: boids           flock/boids/flock.h
//   people on a ground      where each walks next: ORCA            flock/agents/walkers.h
//   a place on it           how far from an obstacle it is         flock/agents/ground.h
//   nothing but a seed      a creature evolved to crawl or swim    ragdoll/creatures/creature.h [creatures]
//   a bound mesh            any of the deformers on it, by name    skin/skinning.h
//   whole sculpted shapes   morph targets, and back; the few       morph/key_shapes.h           [blend_shapes]
//                             directions in which many differ
//   a dragged vertex        the morph weights that move it there   morph/direct_manipulation.h  [blend_shapes]
//   one face's shapes       the same on another face               morph/delta_transfer.h
//   keyframes               the curve between them                 curve/curve.h
//                             the slopes of a spline through them  curve/tangents.h
//   a body or a face        fist, lean, smile; driven keys; poses  edit/controls/controls.h
#pragma once

#include <sinew/character/character.h>
#include <sinew/character/character_deformer.h>
#include <sinew/clip/clip.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/math/transform.h>
#include <sinew/math/types.h>
#include <sinew/mesh/mesh.h>
#include <sinew/morph/morph.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bind_character.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/pose_character.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/pipeline/rig_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
