"""The library calls no function of the C library whose last bit depends on which C library it is: what it needs of them
stands in src/libm/c_names.cpp. Usage: own_functions_test.py LIBSINEW.A NM"""
import subprocess
import sys

names = """sin cos sincos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p pow
cbrt hypot erf erfc tgamma lgamma""".split()
rounded = {name + ending for name in names for ending in ("", "f", "l")}
symbols = subprocess.run([sys.argv[2], "--undefined-only", "--format=just-symbols", sys.argv[1]], capture_output=True, text=True, check=True)
called = rounded & set(symbols.stdout.split())
if called:
    sys.exit(f"FAILED: the library calls {', '.join(sorted(called))} of the C library: add what is missing to src/libm/c_names.cpp")
print("the library calls its own elementary functions only")
