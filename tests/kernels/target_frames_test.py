"""Tests that each lane of a simd loop has its own memory for its variables: target_frames_test.py LIBRARY…

GCC 12 places an array that is indexed inside a simd loop of an offloaded region in the frame of the warp. All lanes then write to
the same memory. The private variables of a lane are in local memory, whose size is set at link time, independent of the loop. The
return address (8 bytes) lies below them. Variables beyond that size overwrite memory of other lanes. On the host, such loops are
right, so no other test without a GPU detects the error. A library contains its device code as text.
"""
import re
import sys


def regions(text):
    """Yields (name, body) of each offloaded region in PTX text."""
    for found in re.finditer(r"// BEGIN FUNCTION DEF: (\S*omp_fn\S*)", text):
        end = text.find("// BEGIN", found.end())
        yield found.group(1), text[found.end():end if end > 0 else None]


def main():
    text = ""
    for library in sys.argv[1:]:
        with open(library, "rb") as file:
            text += file.read().decode("latin-1")
    with_lanes, bad, most = 0, [], 0
    for name, body in regions(text):
        if "simtstack" not in body:
            continue  # without a simd loop, all lanes do the same
        with_lanes += 1
        frames = [int(size) for size in re.findall(r"sub\.u64 %frame,%sspprev,(\d+)", body)]
        if any(frames):
            bad.append(f"{name}: {sum(frames)} bytes that all lanes share")
        room = int(re.search(r"\.local [^;]*%simtstack_ar\[(\d+)\]", body).group(1))
        for taken in re.findall(r"cvta\.local\.u64 (%r\d+),%simtstack_ar \+ \d+;\s*sub\.u64 \1,\1,(\d+);", body):
            most = max(most, int(taken[1]))
            if int(taken[1]) + 8 > room:
                bad.append(f"{name}: a lane takes {taken[1]} bytes and 8, of {room}")
    print("\n".join(bad) or f"{with_lanes} regions with simd loops: none shares a frame among its lanes, which take up to "
                            f"{most} bytes each, and have them")
    if not with_lanes:
        print("no region with a simd loop was found: has the text of GCC's device code changed?")
    sys.exit(1 if bad or not with_lanes else 0)


main()
