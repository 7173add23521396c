#!/usr/bin/env python3
"""Writes the FBX files of tests/io/seeds that nobody can type by hand: one small animated character, as binary 7400 and 7500
and as text 7400, and its like in the layouts of 6100 and 5000. Run it again after a change: fuzz/make_fbx_seeds.py"""
import pathlib
import struct
import zlib

SEEDS = pathlib.Path(__file__).resolve().parent.parent / "tests/io/seeds/fbx"
SECOND = 46186158000


class Named(str):
    """"Class::Name" in text, name and class behind it in binary."""


class Ints(list):
    pass


class Longs(list):
    pass


class Reals(list):
    pass


class Floats(list):
    pass


class Letter(str):
    """A bare letter in text, one byte in binary."""


def node(name, *values, inside=()):
    return name, list(values), list(inside)


def properties(*rows):
    return node("Properties70", inside=[node("P", *row) for row in rows])


def vector(name, *xyz):
    return (name, "Vector3D", "Vector", "", *map(float, xyz))


def lcl(name, *xyz):
    return (name, name, "", "A", *map(float, xyz))


def number(name, value):
    return (name, "Number", "", "A", float(value))


def integer(name, value):
    return (name, "int", "Integer", "", value)


def binary_value(value, deflate):
    if isinstance(value, Named):
        kind, name = value.split("::", 1)
        value = name.encode() + b"\0\1" + kind.encode()
        return b"S" + struct.pack("<I", len(value)) + value
    if isinstance(value, Letter):
        return b"C" + value.encode()
    if isinstance(value, str):
        return b"S" + struct.pack("<I", len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return b"R" + struct.pack("<I", len(value)) + value
    if isinstance(value, list):
        kind = {Ints: "i", Longs: "q", Reals: "d", Floats: "f"}[type(value)]
        raw = struct.pack("<%d%s" % (len(value), kind), *value)
        packed = zlib.compress(raw) if deflate else raw
        head = struct.pack("<III", len(value), int(deflate), len(packed))
        return kind.replace("q", "l").encode() + head + packed
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    return b"L" + struct.pack("<q", value)


def binary_record(record, start, wide, deflate):
    name, values, inside = record
    body = b"".join(binary_value(v, deflate) for v in values)
    size = (25 if wide else 13) + len(name)
    children = b""
    for child in inside:
        children += binary_record(child, start + size + len(body) + len(children), wide, deflate)
    if inside:
        children += bytes(25 if wide else 13)
    end = start + size + len(body) + len(children)
    head = struct.pack("<QQQ" if wide else "<III", end, len(values), len(body))
    return head + bytes([len(name)]) + name.encode() + body + children


def binary(records, version, deflate=True):
    data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
    for record in records:
        data += binary_record(record, len(data), version >= 7500, deflate)
    return data + bytes(25 if version >= 7500 else 13)


def text_value(value):
    if isinstance(value, Letter):
        return str(value)
    if isinstance(value, str):
        return '"%s"' % value.replace('"', "&quot;")
    return repr(value)


def text_record(record, depth, arrays):
    name, values, inside = record
    pad = "\t" * depth
    if len(values) == 1 and isinstance(values[0], Floats):  # as integers with the same bits
        values = [Ints(struct.unpack("<%di" % len(values[0]), struct.pack("<%df" % len(values[0]), *values[0])))]
    if len(values) == 1 and isinstance(values[0], list):
        numbers = ",".join(map(repr, values[0]))
        if not arrays:
            return "%s%s: %s\n" % (pad, name, numbers)
        return "%s%s: *%d {\n%s\ta: %s\n%s}\n" % (pad, name, len(values[0]), pad, numbers, pad)
    line = "%s%s: %s" % (pad, name, ",".join(map(text_value, values)))
    if not inside:
        return line + "\n"
    return line + " {\n" + "".join(text_record(r, depth + 1, arrays) for r in inside) + pad + "}\n"


def text(records, version):
    digits = "%d.%d.%d" % (version // 1000, version // 100 % 10, version // 10 % 10)
    return ("; FBX %s project file\n" % digits + "".join(text_record(r, 0, version >= 7000) for r in records)).encode()


def header(version):
    return node("FBXHeaderExtension", inside=[node("FBXHeaderVersion", 1003), node("FBXVersion", version)])


POINTS = Reals([0, 0, 0, 2, 0, 0, 2, 2, 0, 1, 0.5, 0, 0, 2, 0, 3, 0, 1, 3, 2, 1])
CORNERS = Ints([0, 1, 2, 3, -5, 1, 5, 6, -3])
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def moved(x, y, z):
    return Reals(map(float, IDENTITY[:12] + [x, y, z, 1]))


def layer(name, values_name, values, mapping, reference, index_name=None, indices=None):
    inside = [node("MappingInformationType", mapping), node("ReferenceInformationType", reference), node(values_name, values)]
    if indices is not None:
        inside.append(node(index_name, indices))
    return node(name, 0, inside=inside)


def mesh_records():
    return [node("Vertices", POINTS), node("PolygonVertexIndex", CORNERS),
            layer("LayerElementNormal", "Normals", Reals([0.0, 0.0, 1.0] * 9), "ByPolygonVertex", "Direct"),
            layer("LayerElementUV", "UV", Reals([0, 0, 1, 0, 1, 1, 0.0, 1.0]), "ByPolygonVertex", "IndexToDirect", "UVIndex",
                  Ints([0, 1, 2, 2, 3, 0, 1, 2, 3])),
            layer("LayerElementMaterial", "Materials", Ints([0, 1]), "ByPolygon", "IndexToDirect")]


def curve(number_, times, values, flags, data):
    return node("AnimationCurve", number_, Named("AnimCurve::"), "", inside=[
        node("Default", 0.0), node("KeyVer", 4009), node("KeyTime", Longs(int(t * SECOND) for t in times)),
        node("KeyValueFloat", Reals(map(float, values))), node("KeyAttrFlags", Ints(flags)),
        node("KeyAttrDataFloat", Floats(data)), node("KeyAttrRefCount", Ints([1] * len(flags))),
        node("Post-Extrapolation", inside=[node("Type", Letter("R")), node("Repetition", -1)])])


def modern(version):
    weights = struct.unpack("<f", struct.pack("<HH", 5000, 2500))[0]
    objects = [
        node("Geometry", 10, Named("Geometry::shell"), "Mesh", inside=mesh_records() + [
            layer("LayerElementColor", "Colors", Reals([1.0, 0.5, 0.25, 1.0] * 7), "ByVertice", "Direct")]),
        node("Model", 11, Named("Model::body"), "Mesh", inside=[properties(
            vector("GeometricTranslation", 0, 3, 0), vector("GeometricRotation", 0, 0, 90), lcl("Lcl Translation", 5, 0, 0))]),
        node("Model", 12, Named("Model::hip"), "LimbNode", inside=[properties(
            integer("RotationActive", 1), integer("RotationOrder", 4), vector("PreRotation", 10, 20, 30),
            vector("RotationPivot", 0, 1, 0), vector("ScalingPivot", 0.5, 0, 0), integer("InheritType", 1),
            lcl("Lcl Translation", 0, 1, 0), lcl("Lcl Scaling", 1, 2, 1))]),
        node("Model", 13, Named("Model::tip"), "LimbNode", inside=[properties(
            integer("InheritType", 2), lcl("Lcl Translation", 0, 2, 0), lcl("Lcl Rotation", 0, 0, 45))]),
        node("Deformer", 20, Named("Deformer::"), "Skin"),
        node("Deformer", 21, Named("SubDeformer::"), "Cluster", inside=[
            node("Indexes", Ints([0, 1, 2, 3])), node("Weights", Reals([1.0, 1.0, 0.5, 0.5])),
            node("Transform", moved(0, -1, 0)), node("TransformLink", moved(0, 1, 0))]),
        node("Deformer", 22, Named("SubDeformer::"), "Cluster", inside=[
            node("Indexes", Ints([2, 3, 4])), node("Weights", Reals([0.5, 0.5, 1.0])),
            node("Transform", moved(0, -3, 0)), node("TransformLink", moved(0, 3, 0))]),
        node("Deformer", 30, Named("Deformer::"), "BlendShape"),
        node("Deformer", 31, Named("SubDeformer::smile"), "BlendShapeChannel", inside=[
            node("DeformPercent", 25.0), node("FullWeights", Reals([50.0, 100.0]))]),
        node("Geometry", 32, Named("Geometry::half"), "Shape", inside=[
            node("Indexes", Ints([4])), node("Vertices", Reals([0.0, 0.0, 1.0]))]),
        node("Geometry", 33, Named("Geometry::whole"), "Shape", inside=[
            node("Indexes", Ints([4, 5])), node("Vertices", Reals([0.0, 1.0, 0.0, 0.0, 0.0, 2.0]))]),
        node("Material", 40, Named("Material::skin"), "", inside=[properties(
            ("DiffuseColor", "Color", "", "A", 0.5, 0.25, 1.0), number("TransparencyFactor", 0.5), number("Shininess", 20))]),
        node("Material", 41, Named("Material::cloth"), "", inside=[properties(("DiffuseColor", "Color", "", "A", 1.0, 0.0, 0.0))]),
        node("Texture", 42, Named("Texture::map"), "", inside=[node("RelativeFilename", "missing.png")]),
        node("AnimationStack", 50, Named("AnimStack::sway"), "", inside=[properties(
            ("LocalStart", "KTime", "Time", "", 0), ("LocalStop", "KTime", "Time", "", 2 * SECOND))]),
        node("AnimationLayer", 51, Named("AnimLayer::base"), ""),
        node("AnimationLayer", 52, Named("AnimLayer::more"), "", inside=[properties(number("Weight", 50), integer("BlendMode", 0))]),
        node("AnimationCurveNode", 53, Named("AnimCurveNode::R"), "", inside=[properties(number("d|X", 0), number("d|Y", 5), number("d|Z", 0))]),
        node("AnimationCurveNode", 54, Named("AnimCurveNode::R"), "", inside=[properties(number("d|X", 10), number("d|Y", 0), number("d|Z", 0))]),
        node("AnimationCurveNode", 55, Named("AnimCurveNode::DeformPercent"), "", inside=[properties(number("d|DeformPercent", 0))]),
        node("AnimationCurveNode", 56, Named("AnimCurveNode::S"), "", inside=[properties(number("d|X", 1), number("d|Y", 2), number("d|Z", 1))]),
        curve(60, [0, 0.5, 1], [0, 90, 0], [0x3000408, 0x108, 0x108], [100, 0, weights, 0] + [0, 0, 0, 0] * 2),
        curve(61, [0, 1], [0, 150], [0x208, 0x208], [0.5, 0, 0, 0, 0, 0.5, 0.25, 0]),
        curve(62, [0, 1], [1, 3], [0x2, 0x4], [0.0] * 8)]
    links = [("OO", 11, 0), ("OO", 12, 0), ("OO", 13, 12), ("OO", 10, 11), ("OO", 40, 11), ("OO", 41, 11), ("OP", 42, 40, "DiffuseColor"),
             ("OO", 20, 10), ("OO", 21, 20), ("OO", 22, 20), ("OO", 12, 21), ("OO", 13, 22), ("OO", 30, 10), ("OO", 31, 30),
             ("OO", 32, 31), ("OO", 33, 31), ("OO", 51, 50), ("OO", 52, 50), ("OO", 53, 51), ("OO", 55, 51), ("OO", 56, 51), ("OO", 54, 52),
             ("OP", 53, 12, "Lcl Rotation"), ("OP", 54, 12, "Lcl Rotation"), ("OP", 55, 31, "DeformPercent"), ("OP", 56, 12, "Lcl Scaling"),
             ("OP", 60, 53, "d|X"), ("OP", 61, 55, "d|DeformPercent"), ("OP", 62, 56, "d|Y")]
    settings = [integer(name, value) for name, value in (("UpAxis", 2), ("UpAxisSign", 1), ("FrontAxis", 1), ("FrontAxisSign", -1),
                                                         ("CoordAxis", 0), ("CoordAxisSign", 1))]
    return [header(version), node("GlobalSettings", inside=[properties(*settings, number("UnitScaleFactor", 100))]),
            node("Objects", inside=objects), node("Connections", inside=[node("C", *link) for link in links])]


def channel(name, *inside):
    return node("Channel", name, inside=inside)


def constant(name, value):
    return channel(name, node("Default", float(value)))


def keyed(name, *keys):
    return channel(name, node("Default", 0.0), node("KeyVer", 4005), node("KeyCount", 3), node("Key", *keys))


def transform(t, r, s):
    return channel("Transform", *[channel(part, *values) for part, values in (("T", t), ("R", r), ("S", s))])


def xyz(x, y, z):
    return [constant("X", x), constant("Y", y), constant("Z", z)]


TURN = keyed("Z", 0, 0.0, Letter("U"), Letter("s"), 90.0, 0.0, Letter("a"), 0.5, 0.25, SECOND // 2, 45.0, Letter("L"),
             SECOND, 30.0, Letter("C"), Letter("n"))


def takes(prefix):
    name = (lambda text_: Named("Model::" + text_)) if prefix else str
    return node("Takes", inside=[node("Current", "turn"), node("Take", "turn", inside=[
        node("LocalTime", 0, SECOND),
        node("Model", name("hip"), inside=[transform(xyz(0, 1, 0), [constant("X", 0), constant("Y", 0), TURN], xyz(1, 1, 1))]),
        node("Model", name("body"), inside=[keyed("wide", 0, 0.0, Letter("L"), SECOND // 2, 100.0, Letter("L"), SECOND, 0.0, Letter("L"))])])])


def shape():
    return node("Shape", "wide", inside=[node("Indexes", 0), node("Vertices", -1.0, 0.0, 0.0)])


def flat(records):
    """Arrays as plain lists of values: what versions before 7000 have."""
    return [(name, [x for v in values for x in (v if isinstance(v, list) else [v])], flat(inside)) for name, values, inside in records]


def old_properties(*rows):
    return node("Properties60", inside=[node("Property", *row) for row in rows])


def version_6100():
    objects = [
        node("Model", Named("Model::body"), "Mesh", inside=[old_properties(("Lcl Translation", "Lcl Translation", "A+", 5.0, 0.0, 0.0),
             ("wide", "Number", "A+", 50.0))] + mesh_records() + [shape()]),
        node("Model", Named("Model::hip"), "LimbNode", inside=[old_properties(("Lcl Translation", "Lcl Translation", "A+", 0.0, 1.0, 0.0))]),
        node("Material", Named("Material::skin"), "", inside=[old_properties(("DiffuseColor", "ColorRGB", "", 1.0, 0.5, 0.0))]),
        node("Deformer", Named("Deformer::Skin body"), "Skin"),
        node("Deformer", Named("SubDeformer::Cluster hip"), "Cluster", inside=[
            node("Indexes", Ints([0, 1])), node("Weights", Reals([1.0, 1.0])), node("Transform", moved(5, -1, 0)),
            node("TransformLink", moved(0, 1, 0))])]
    links = [("Model::body", "Model::Scene"), ("Model::hip", "Model::Scene"), ("Material::skin", "Model::body"),
             ("Deformer::Skin body", "Model::body"), ("SubDeformer::Cluster hip", "Deformer::Skin body"),
             ("Model::hip", "SubDeformer::Cluster hip")]
    return flat([header(6100), node("Objects", inside=objects),
                 node("Connections", inside=[node("Connect", "OO", Named(a), Named(b)) for a, b in links]), takes(True)])


def version_5000():
    body = [transform(xyz(5, 0, 0), xyz(0, 0, 0), xyz(1, 1, 1)), constant("wide (Shape)", 50),
            node("Material", "skin", inside=[node("Diffuse", 1.0, 0.5, 0.0)]),
            node("Link", "hip", inside=[node("Indexes", Ints([0, 1])), node("Weights", Reals([1.0, 1.0])),
                                        node("Transform", moved(5, -1, 0)), node("TransformLink", moved(0, 1, 0))]),
            shape(), node("Vertices", POINTS), node("PolygonVertexIndex", CORNERS), node("MaterialAssignation", "AllSame"), node("Materials", 0),
            node("GeometryUVInfo", inside=[node("TextureUV", 0.0, 0.0, 1.0, 1.0), node("TextureUVVerticeIndex", Ints([0, 1, 0, 1, 0, 1, 0, 1, 0]))])]
    root = [transform(xyz(0, 0, 0), xyz(-90, 0, 0), xyz(1, 1, 1)), node("Children", "body", "hip")]
    return flat([header(5000), node("Model", "root", inside=root), node("Model", "body", inside=body),
                 node("Model", "hip", inside=[transform(xyz(0, 1, 0), xyz(0, 0, 0), xyz(1, 1, 1))]), takes(False)])


def main():
    files = {"animated_7400_binary": binary(modern(7400), 7400), "animated_7500_binary": binary(modern(7500), 7500, deflate=False),
             "animated_7400_text": text(modern(7400), 7400), "animated_6100_text": text(version_6100(), 6100),
             "animated_6100_binary": binary(version_6100(), 6100), "animated_5000_binary": binary(version_5000(), 5000)}
    for name, data in files.items():
        (SEEDS / (name + ".fbx")).write_bytes(data)


if __name__ == "__main__":
    main()
