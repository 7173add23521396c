// Made of studio/api.json by studio/generate_api.mjs: change that file, not this one.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export type Document = number;
export type Solver = number;
export type Player = number;
export type Painter = number;
export interface ErrorInfo { code: string; message: string; where: string; text: string }
export interface FileBytes { name: string; bytes: Uint8Array }
export interface MeshInfo { name: string; vertices: number; triangles: number; pieces: number; watertight: boolean; skinned: boolean; max_influences: number; unweighted_vertices: number; morphs: number }
export interface JointInfo { name: string; parent: number; position: Vec3; role: string | null }
export interface ClipInfo { name: string; duration: number; tracks: number; keys: number; rate: number; curves: string; events: { time: number, name: string }[]; floats: string[] }
export interface Info { file: string; format: string; meshes: MeshInfo[]; joints: JointInfo[]; skins: number; materials: number; bounds?: { min: Vec3, max: Vec3 } | null; clips: ClipInfo[]; warnings: string[]; reference_time?: number; characters?: string[]; controls: string[] }
export interface State { id: Document; info: Info; rigged: boolean; kind: string; motions: string[]; humanoid: boolean }
export interface KindMotions { kind: string; motions: string[] }
export interface JointHint { joint: string; position: Vec3 }
export interface RigChoices { template?: string; names?: "vrm" | "mixamo" | "unreal" | "humanik"; up?: string; facing?: string; joints?: JointHint[]; fingers?: number; twist?: number; root?: boolean; min_confidence?: number; weights?: string; influences?: number }
export interface MotionChoices { clip?: string; character?: string; map?: Record<string, string>; fps?: number; in_place_root?: boolean; lock_feet?: boolean; mirror?: boolean; onto_animal?: boolean; only?: string }
export interface RigJoint { name: string; parent: string | null; position: Vec3; confidence: number; reason?: string }
export interface CheckRow { name: string; value: number; unit?: string; least?: number; most?: number; grade: string; where?: string; advice?: string }
export interface RigCue { name: string; value: number; measured: number; says: string }
export interface Match { source: string; target: string; by: string }
export interface Contact { joint: string; from: number; to: number }
export interface NamedVector { name: string; value: Vec3 }
export interface SkinPart { instance: number; primitive: number; skin: number; joints: Uint32Array; first: Uint32Array; joint: Uint32Array; weight: Float32Array }
export interface Part { instance: number; primitive: number; mesh: string; skin: number; material: number; positions: Float32Array; normals: Float32Array; triangles: Uint32Array }
export interface ShownPart { instance: number; primitive: number; positions: Float32Array; normals: Float32Array }
export interface Track { target: number; path: "translation" | "rotation" | "scale" | "morphs"; interpolation: "step" | "linear" | "cubic"; width: number; times: Float32Array; values: Float32Array }
export interface Layer { clip: string; time: number; weight?: number; additive?: boolean; only?: string }
export interface Goal { joint: string; position?: Vec3; rotation?: Quat; weight?: number }
export interface MorphHandle { vertex: number; position: Vec3; importance?: number }
export interface Channel { times: Float32Array; values: Float32Array; in: Float32Array; out: Float32Array }

export interface Operations {
  // The core's version and the formats it reads and writes.
  version: { args: Record<string, never>; result: { version: string; reads: string[]; writes: string[]; skinnings: string[]; weight_methods: string[]; solvers: string[]; samples: string[]; names: string[]; templates: string[]; motions: KindMotions[] } };
  // The operations that the core has, with the names of their arguments: for checking this list.
  operations: { args: Record<string, never>; result: { operations: { name: string, args: string[] }[] } };
  // A small job that makes the engine compile what real jobs use. Call it while the user chooses a file.
  warm_up: { args: Record<string, never>; result: Record<string, never> };
  // Puts a file into the core's memory; paths in all other operations mean these files. Names may have folders: "textures/skin.png".
  put_file: { args: { name: string; bytes: Uint8Array }; result: Record<string, never> };
  // The bytes of a file in the core's memory.
  get_file: { args: { name: string }; result: { bytes: Uint8Array } };
  // What is in the core's memory.
  list_files: { args: Record<string, never>; result: { files: { name: string, size: number }[] } };
  // Removes a file; without a name, all of them. Documents do not need their files any more.
  remove_file: { args: { name?: string }; result: Record<string, never> };
  // Reads a file in memory as a document. Files that it refers to (.bin, .mtl, pictures, .asf) are put beside it first. `humanoid`: the joints that a person's names say are stated in a VRM, as those of a new rig are.
  open: { args: { file: string; skeleton?: string; humanoid?: boolean }; result: { id: Document; state: State } };
  // One of the characters made by code, as a document.
  sample: { args: { name: string }; result: { id: Document; state: State } };
  // A second document with the same content. Takes no time and no memory until one of them changes: use it for undo.
  copy: { args: { id: Document }; result: { id: Document } };
  // Gives the document the content of another one, which stays as it is: undo and redo.
  assign: { args: { id: Document; from: Document }; result: { state: State } };
  // Forgets a document.
  close: { args: { id: Document }; result: Record<string, never> };
  // What the document is now; `info` is what `sinew info --json` says of it.
  state: { args: { id: Document }; result: { state: State } };
  // What `sinew info --json` says, at a moment of a clip where one is given.
  info: { args: { id: Document; clip?: string; time?: number }; result: { info: Info } };
  // The files that the command line would write to `name` (.glb .gltf .vrm .fbx .obj .bvh), the main one last; byte for byte.
  export: { args: { id: Document; name: string; clip?: string }; result: { files: FileBytes[] } };
  // Every shown primitive at rest, in the order of Part numbers in all other operations.
  geometry: { args: { id: Document }; result: { parts: Part[] } };
  // The verb check: what an engine, an animator or a player would trip over, measured. `report` is that of --json.
  check: { args: { id: Document }; result: { report: { file: string, faults: number, warned: number, checks: CheckRow[], warnings: string[] } } };
  // The built-in motions by kind of body; with a document, those of its kind and its own clips.
  motions: { args: { id?: Document }; result: { kind: string; clips: ClipInfo[]; builtin: KindMotions[] } };
  // The verb animate: rigs and binds the document if it is bare, then puts the motions (files in memory or built-in names) on it; `cloth` as --cloth. `report` is that of --report.
  animate: { args: { id: Document; motions: string[]; motion?: MotionChoices; rig?: RigChoices; cloth?: string }; result: { report: any; motions: any[]; state: State } };
  // The verb rig: fits a skeleton and binds it. `upright` as animate does it (default true).
  rig: { args: { id: Document; rig?: RigChoices; upright?: boolean }; result: { report: any; state: State } };
  // Only fits a skeleton, and changes nothing: for dragging joints. Positions are in the mesh's space, as hints are.
  fit: { args: { id: Document; rig?: RigChoices }; result: { template: string; confidence: number; up: Vec3; facing: Vec3; joints: RigJoint[]; cues: RigCue[]; warnings: string[] } };
  // The verb bind: new weights for the rig that the document has, or for the skeleton of another document.
  bind: { args: { id: Document; skeleton?: Document; weights?: string; influences?: number; bones?: string[] }; result: { report: any; state: State } };
  // Puts motions (files in memory or built-in names) on a rigged document, as its first clips. `map` as reported and corrected.
  retarget: { args: { id: Document; motions: string[]; motion?: MotionChoices }; result: { motions: any[]; state: State } };
  // When which foot or hand of a clip stands still on something.
  contacts: { args: { id: Document; clip: string }; result: { contacts: Contact[] } };
  // The skin's weights: of part p, vertex v has the influences first[v] … first[v + 1]; `joint` indexes `joints`, which are the skeleton's.
  weights: { args: { id: Document }; result: { parts: SkinPart[] } };
  // New weights for some vertices of a part, in the same form; they are sorted and normalised.
  set_weights: { args: { id: Document; instance: number; primitive: number; vertices: Uint32Array; first: Uint32Array; joint: Uint32Array; weight: Float32Array }; result: Record<string, never> };
  // The verb weights: transfer, mirror, smooth, prune, limit, in this order.
  edit_weights: { args: { id: Document; transfer_from?: Document; mirror?: "x" | "y" | "z"; smooth?: number; prune?: number; influences?: number }; result: { report: any; state: State } };
  // Prepares painting on the document as it stands at rest.
  paint_begin: { args: { id: Document }; result: { painter: Painter } };
  // One dab of a brush on the surface (not through it), at a point given in rest space. Returns the vertices that changed, with all their influences, as in SkinPart.
  paint: { args: { painter: Painter; joint: string; mode: "add" | "subtract" | "replace" | "smooth"; centre: Vec3; radius: number; strength: number; mirror?: boolean; locked?: string[] }; result: { parts: { instance: number, primitive: number, vertices: Uint32Array, first: Uint32Array, joint: Uint32Array, weight: Float32Array }[] } };
  // Writes the strokes into the document; with keep false, forgets them.
  paint_end: { args: { painter: Painter; keep?: boolean }; result: { state?: State } };
  // The weight of a joint along its bone: at `samples` places from parent (0) to child (1), the mean over the skin there.
  bone_curve: { args: { id: Document; joint: string; samples?: number }; result: { at: Float32Array; weight: Float32Array } };
  // Makes the weights of a joint against its parent follow a spline along its bone through these knots.
  set_bone_curve: { args: { id: Document; joint: string; at: number[]; weight: number[] }; result: { state: State } };
  // The spline that set_bone_curve lays through knots, at `samples` even places from the first to the last: for drawing it.
  spline: { args: { at: number[]; values: number[]; samples: number }; result: { values: Float32Array } };
  // The verb pose.
  pose: { args: { id: Document; clip?: string; time?: number; rotate?: NamedVector[]; world_axes?: boolean; targets?: NamedVector[]; moves?: NamedVector[]; poles?: NamedVector[]; hold?: string[]; solver?: string; anatomical?: boolean; as?: "both" | "nodes" | "clip" }; result: { report: any; state: State } };
  // Prepares full-body posing from a moment of a clip, from rest, or from local transforms (10 numbers a joint: translation, rotation x y z w, scale).
  solver_begin: { args: { id: Document; clip?: string; time?: number; pose?: Float32Array; anatomical?: boolean; hold?: string[] }; result: { solver: Solver; pose: Float32Array } };
  // Brings the goals' joints to their places, each time from the pose that solver_begin or solver_set gave: a joint dragged back comes back. Fast: call it for every pointer event. A rotation turns the joint alone.
  solver_drag: { args: { solver: Solver; goals: Goal[] }; result: { pose: Float32Array; errors: number[]; reached: boolean } };
  // Sets the pose that the solver stands in (FK gizmos, undo).
  solver_set: { args: { solver: Solver; pose: Float32Array }; result: Record<string, never> };
  // Forgets the solver.
  solver_end: { args: { solver: Solver }; result: Record<string, never> };
  // What a person's joints can do (radians), around rest: per joint a hinge, a cone or none.
  joint_limits: { args: { id: Document }; result: { limits: { joint: string, kind: string, axis: Vec3, reference: Quat, min: number, max: number, swing: number }[] } };
  // Local transforms (10 numbers a joint) and morph weights at each of the times.
  sample_clip: { args: { id: Document; clip: string; times: Float32Array }; result: { pose: Float32Array; morphs: Float32Array } };
  // Prepares playing: a fast path for every frame.
  player_begin: { args: { id: Document; skinning?: string }; result: { player: Player } };
  // Blends the layers. world: a column-major 4×4 matrix a joint; pose: local transforms; morphs: weights of all instances.
  player_frame: { args: { player: Player; layers: Layer[]; pose?: Float32Array }; result: { pose: Float32Array; world: Float32Array; morphs: Float32Array } };
  // Of the last frame: rows for the library's GLSL (skin/gpu), for one instance.
  player_palette: { args: { player: Player; instance: number; kind: "matrices" | "dual_quaternions" | "stretched_dual_quaternions" }; result: { rows: Float32Array; width: number; height: number } };
  // Forgets the player.
  player_end: { args: { player: Player }; result: Record<string, never> };
  // World-space vertices of all parts in a pose (local transforms), at a moment of a clip, or at rest.
  deform: { args: { id: Document; clip?: string; time?: number; pose?: Float32Array; morphs?: Float32Array; skinning?: string; delta_mush?: number }; result: { parts: ShownPart[] } };
  // The library's skinning for a vertex shader (GLSL ES 3.00).
  glsl: { args: { method: "lbs" | "dqs" | "stretched-dqs"; palette?: "texture" | "uniform"; rows?: number }; result: { palette: string; method: string } };
  // A clip's tracks: the keys as they are. `target` is a joint; for morphs, the first of `width` weights.
  clip: { args: { id: Document; clip: string }; result: { name: string; duration: number; tracks: Track[] } };
  // Replaces a clip by its tracks, or adds one where `clip` is absent; checked first.
  set_clip: { args: { id: Document; clip?: string; name: string; tracks: Track[]; at?: number }; result: { state: State } };
  // Removes a clip.
  remove_clip: { args: { id: Document; clip: string }; result: { state: State } };
  // Keys of a pose: writes the local transforms of these joints at a time into a clip, as keys of the tracks they differ in (auto-key).
  set_keys: { args: { id: Document; clip: string; time: number; pose: Float32Array; joints?: string[] }; result: { keys: number; state: State } };
  // A joint's track as curves to edit: three channels (degrees about x, y, z for rotations), each key with its slopes in and out, per second.
  channels: { args: { id: Document; clip: string; joint: string; path: "translation" | "rotation" | "scale"; tolerance?: number }; result: { channels: Channel[] } };
  // The curves as edited, back into the clip: cubic keys for translations and scales, keys at `fps` for rotations.
  set_channels: { args: { id: Document; clip: string; joint: string; path: "translation" | "rotation" | "scale"; channels: Channel[]; fps?: number }; result: { state: State } };
  // The verb edit: all of its choices, in its order.
  edit_clips: { args: { id: Document; clip?: string; trim_from?: number; trim_to?: number; reverse?: boolean; speed?: number; mirror?: boolean; blend?: { motion: string, weight?: number }[]; add?: { motion: string, weight?: number }[]; only?: string; then?: string[]; exaggerate?: number; arcs?: number; anticipate?: number; follow?: number; hold?: number; secondary?: number; squash?: number; slow_in_out?: number; loop?: boolean; fade?: number; in_place_root?: boolean; fps?: number; optimize_mm?: number; name?: string }; result: { report: any; state: State } };
  // The path of joints through a clip, in world space: three numbers a moment, joint after joint.
  trail: { args: { id: Document; clip: string; joints: string[]; fps?: number }; result: { times: Float32Array; points: Float32Array } };
  // The morph targets of every instance: names and weights at rest.
  morphs: { args: { id: Document }; result: { instances: { instance: number, mesh: string, first: number, names: string[], weights: number[] }[] } };
  // Morph weights that bring vertices of a part to where they were dragged, in the mesh's own space.
  morph_drag: { args: { id: Document; instance: number; primitive: number; handles: MorphHandle[]; current?: Float32Array; stay?: number }; result: { weights: Float32Array; residual: number; converged: boolean } };
}

// Those that may take long, report progress and can be cancelled.
export const longOperations: ReadonlySet<string> = new Set(['open', 'export', 'check', 'animate', 'rig', 'fit', 'bind', 'retarget', 'edit_weights', 'set_bone_curve', 'edit_clips']);
