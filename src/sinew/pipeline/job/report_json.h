// Reports as JSON text: what `--report` and `--json` of the command line write, for other programs.
// Data flow: the reports of the calls in this folder → *here* → a file, standard output.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct AnimateReport;          // animate.h
struct RigReport;              // rig_character.h
struct BindReport;             // bind_character.h
struct EditWeightsFileReport;  // edit_weights.h
struct RetargetReport;         // retarget_character.h
struct PoseFileReport;         // pose_character.h
struct EditFileReport;         // edit/edit_clips.h
struct BakeReport;             // bake.h
struct PreviewReport;          // bake.h
struct ConvertReport;          // convert_file.h
struct DemoFile;               // demo.h
struct CharacterInfo;          // info.h
struct SimulateReport;         // simulate/simulate.h

// One JSON object, indented, without a newline at its end. Parts that did not run are absent. Fields are only ever
// added. A joint without a name is called by its number: "joint 7".
std::string encode_json(const AnimateReport& report);
std::string encode_json(const RigReport& report);
std::string encode_json(const BindReport& report);
std::string encode_json(const EditWeightsFileReport& report);
std::string encode_json(const RetargetReport& report);
std::string encode_json(const PoseFileReport& report);
std::string encode_json(const EditFileReport& report);
std::string encode_json(const BakeReport& report);
std::string encode_json(const PreviewReport& report);
std::string encode_json(const ConvertReport& report);
std::string encode_json(const std::vector<DemoFile>& files);
std::string encode_json(const CharacterInfo& info);

}  // namespace sinew
