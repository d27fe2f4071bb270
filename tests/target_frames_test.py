"""No lane of a simd loop may share its variables with others: target_frames_test.py LIBRARY…

GCC 12 keeps an array that is indexed inside a simd loop of an offloaded region in the frame of the warp, where all lanes
write the same place. On the host such a loop is right, so that no other test without a GPU sees it. A library holds its
device code as text.
"""
import re
import sys


def regions(text):
    """(name, body) of each offloaded region in PTX text."""
    for found in re.finditer(r"// BEGIN FUNCTION DEF: (\S*omp_fn\S*)", text):
        end = text.find("// BEGIN", found.end())
        yield found.group(1), text[found.end():end if end > 0 else None]


def main():
    text = ""
    for library in sys.argv[1:]:
        with open(library, "rb") as file:
            text += file.read().decode("latin-1")
    with_lanes, bad = 0, []
    for name, body in regions(text):
        if "simtstack" not in body:
            continue  # its lanes do the same
        with_lanes += 1
        frames = [int(size) for size in re.findall(r"sub\.u64 %frame,%sspprev,(\d+)", body)]
        if any(frames):
            bad.append(f"{name}: {sum(frames)} bytes that all lanes share")
    print("\n".join(bad) or f"{with_lanes} regions with simd loops: none shares a frame among its lanes")
    if not with_lanes:
        print("no region with a simd loop was found: has the text of GCC's device code changed?")
    sys.exit(1 if bad or not with_lanes else 0)


main()
