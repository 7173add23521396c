"""Runs the library's GLSL in a real WebGL2 context (headless Chromium, transform feedback) against the scalar deformers.

usage: webgl.py GPU_CASE ORACLES
Is skipped where chromium, node or playwright-core is absent; tests/support/setup_oracles installs them."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skip import skip

program, oracles = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
modules = oracles / "browser"
chromium, node = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("node")
missing = [name for name, found in (("chromium", chromium), ("node", node), ("playwright-core", (modules / "node_modules/playwright-core").is_dir())) if not found]
if missing:
    skip(f"no {', '.join(missing)}; run tests/support/setup_oracles")

with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:  # the browser may still be writing its profile
    cases = pathlib.Path(scratch) / "cases.json"
    cases.write_bytes(subprocess.run([program], check=True, capture_output=True).stdout)
    script = pathlib.Path(__file__).with_suffix(".mjs")
    command = [node, str(script), str(modules), chromium, str(cases), str(pathlib.Path(scratch) / "profile")]
    sys.exit(subprocess.run(command, timeout=300).returncode)
