"""For fbx_blender.py, run by Blender: imports an FBX and writes what it shows at some times of a clip.

usage: blender -b --factory-startup --python-exit-code 1 -P fbx_blender_import.py -- IN.fbx OUT.json CLIP TIME …   (CLIP "": none)
"""
import json
import math
import sys

import bpy

source, out, clip, *times = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.fbx(filepath=source, anim_offset=0.0)
scene = bpy.context.scene
rate = scene.render.fps / scene.render.fps_base


def play(owner):
    """Actions are called "owner|clip|layer"."""
    for action in bpy.data.actions:
        parts = action.name.split("|")
        if len(parts) > 1 and parts[0] == owner.name and parts[1] == clip:
            owner.animation_data_create()
            owner.animation_data.action = action


def points():
    graph = bpy.context.evaluated_depsgraph_get()
    result = []
    for item in bpy.data.objects:
        if item.type != "MESH":
            continue
        shown = item.evaluated_get(graph)
        mesh = shown.to_mesh()
        for vertex in mesh.vertices:
            x, y, z = shown.matrix_world @ vertex.co
            result.append((x, z, -y))
        shown.to_mesh_clear()
    return result


for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
    play(owner)
frames = []
for time in times:
    frame = float(time) * rate
    whole = math.floor(frame + 1e-6)
    scene.frame_set(whole, subframe=min(max(frame - whole, 0.0), 0.999999))
    frames.append(points())
result = {
    "frames": frames,
    "clips": sorted({action.name.split("|")[1] for action in bpy.data.actions if "|" in action.name}),
    "materials": len(bpy.data.materials),
    "uv_maps": sum(len(mesh.uv_layers) for mesh in bpy.data.meshes),
    "shapes": sum(len(keys.key_blocks) - 1 for keys in bpy.data.shape_keys),
    "pictures": sum(image.size[0] > 0 for image in bpy.data.images),
}
json.dump(result, open(out, "w"))
