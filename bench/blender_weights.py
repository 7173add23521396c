"""Blender's bone heat on one mesh: blender -b -P blender_weights.py -- FIGURE SECONDS. Run by weights_bench.
FIGURE has lines `v x y z`, `f a b c`, `b head tail`; SECONDS gets the time of parenting with automatic weights."""
import sys
import time

import bpy

figure, result = sys.argv[sys.argv.index("--") + 1:]
rows = {"v": [], "f": [], "b": []}
for line in open(figure):
    kind, *numbers = line.split()
    rows[kind].append([int(n) if kind == "f" else float(n) for n in numbers])
mesh = bpy.data.meshes.new("figure")
mesh.from_pydata(rows["v"], [], rows["f"])
body = bpy.data.objects.new("figure", mesh)
bpy.context.collection.objects.link(body)
armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
bpy.context.collection.objects.link(armature)
bpy.context.view_layer.objects.active = armature
bpy.ops.object.mode_set(mode="EDIT")
for i, b in enumerate(rows["b"]):
    bone = armature.data.edit_bones.new(f"bone{i}")
    bone.head, bone.tail = b[:3], b[3:]
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.object.select_all(action="DESELECT")
body.select_set(True)
armature.select_set(True)
start = time.perf_counter()
bpy.ops.object.parent_set(type="ARMATURE_AUTO")
open(result, "w").write(str(time.perf_counter() - start))
