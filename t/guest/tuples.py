# tuples.py EXTENDED BYTES AT TYPE TAG: checks 16 blocks of 512 bytes, from block 136 on, and their metadata in the files data and metadata
# (EXTENDED 1: both in data). BYTES of metadata each block has, AT which its tuple begins, of this TYPE of protection information (0: there is
# none, so all metadata are zeros).
import struct, sys
def crc(data):
    c = 0
    for byte in data:
        c ^= byte << 8
        for _ in range(8):
            c = (c << 1 ^ 0x8bb7 if c & 0x8000 else c << 1) & 0xffff
    return c
extended, size, at, kind, tag = sys.argv[1] == "1", *(int(word, 0) for word in sys.argv[2:])
data = open("data", "rb").read()
step = 512 + (size if extended else 0)
blocks = [data[i:i + 512] for i in range(0, len(data), step)]
meta = b"".join(data[i + 512:i + step] for i in range(0, len(data), step)) if extended else open("metadata", "rb").read()
assert len(blocks) == 16 and len(meta) == 16 * size and any(blocks[0]) and blocks[0] != blocks[8]
for n, block in enumerate(blocks):
    have = meta[n * size:n * size + size]
    if kind:
        guard, app, ref = struct.unpack(">HHI", have[at:at + 8])
        want = crc(block + have[:at])
        assert (guard, app, ref) == (want, tag, 0 if kind == 3 else 136 + n), (n, guard, want, app, ref)
        have = have[:at] + have[at + 8:]
    assert not any(have), (n, have)
