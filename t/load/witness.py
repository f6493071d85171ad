"""witness.py: runs a job under a program and records what strace, the counters of a loop device, the block layer's tracepoint and
the files say about it. None of it comes from the program."""
import collections
import hashlib
import os
import re
import shutil
import subprocess

DEVICE_MIB = 32
CALLS = ("openat,close,fsync,fdatasync,sync_file_range,fadvise64,ioctl,fallocate,unlink,unlinkat,lseek,"
         "read,write,pread64,pwrite64,readv,writev,preadv,pwritev,preadv2,pwritev2,io_submit,clone,clone3,fork,vfork")
# Flags with which files are laid out.
LAYOUT = {"O_EXCL", "O_NOFOLLOW", "O_TRUNC", "O_WRONLY"}


def sh(command, **how):
    return subprocess.run(command, shell=True, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **how)


class Lane:
    """Two loop devices without scheduler and read-ahead: one for jobs on a device, and a mounted one. They end with their last user:
    the mount, or the descriptor in raw. So nothing of them stays when this process is killed."""

    def __init__(self, number, space, trace):
        self.dir = os.path.join(space, str(number))
        self.mount = self.dir + ".mnt"
        self.trace = None
        os.makedirs(self.mount)
        os.mkdir(self.dir)
        self.dev, self.disk = self.add_loop("raw"), self.add_loop("fs")
        self.raw = os.open(self.dev, os.O_RDONLY)
        must("mkfs.ext4 -q -F -b 4096 -O ^has_journal -E lazy_itable_init=0 %s && mount %s %s" % (self.disk, self.disk, self.mount))
        must("losetup -d %s %s" % (self.dev, self.disk))
        shutil.rmtree(self.mount + "/lost+found")
        if trace:
            self.add_trace(trace + "/instances/fiord-%d-%d" % (os.getpid(), number))

    def add_loop(self, name):
        image = self.dir + "." + name
        device = must("truncate -s %dm %s && losetup -f --show %s" % (DEVICE_MIB, image, image))
        queue_dir = "/sys/block/%s/queue/" % os.path.basename(device)
        for setting, value in ("scheduler", "none"), ("read_ahead_kb", "0"):
            put(queue_dir + setting, value)
        return device

    def add_trace(self, instance):
        remove_stale(os.path.dirname(instance))
        os.mkdir(instance)
        self.trace = instance
        event = instance + "/events/block/block_bio_queue/"
        number = os.stat(self.dev).st_rdev
        put(event + "filter", "dev == %d" % (os.major(number) << 20 | os.minor(number)))
        put(event + "enable", "1")

    def close(self):
        if self.trace:
            os.rmdir(self.trace)
        os.close(self.raw)
        sh("umount " + self.mount)


def remove_stale(instances):
    """Removes the trace instances of processes that were killed."""
    for name in os.listdir(instances):
        owner = re.fullmatch(r"fiord-(\d+)-\d+", name)
        if owner and not os.path.exists("/proc/" + owner[1]):
            os.rmdir(os.path.join(instances, name))


def put(path, text):
    with open(path, "w") as file:
        file.write(text)


def must(command):
    done = sh(command)
    if done.returncode:
        raise OSError("%s: %s" % (command, done.stdout))
    return done.stdout.strip()


class Calls:
    """What strace saw of the target. Workers are all threads but the first one. What a file opened with a flag of LAYOUT did
    does not count if the same worker opens the file again: that was its layout."""

    def __init__(self, path, target, options):
        self.target, self.thread, self.main = target, "thread=1" in options, None
        self.group, self.halves, self.position, self.times = {}, {}, {}, []
        self.layouts = set()  # (worker, descriptor) opened with a flag of LAYOUT
        self.events = []  # [worker, kind, value, file, whether it may be of a layout]
        for line in open(path, errors="replace"):
            self.line(line.rstrip("\n"))
        if {"create_only=1", "ioengine=filestat", "ioengine=filedelete"} & set(options):
            self.events = [event for event in self.events if not event[4]]
        self.ios = collections.defaultdict(list)  # worker -> (op, file, offset, length)
        self.syncs = collections.defaultdict(list)  # worker -> (I/Os before, kind, file, range)
        self.counts = collections.defaultdict(collections.Counter)
        for worker, kind, value, file, _ in self.events:
            if kind == "ios":
                self.ios[worker].append(value)
            elif kind == "syncs":
                self.syncs[worker].append((len(self.ios[worker]), *value))
            else:
                self.counts[kind][value] += 1

    def line(self, line):
        tid, time, text = line.split(None, 2)
        self.main = self.main or tid
        if text.endswith("<unfinished ...>"):
            self.halves[tid] = text[:-len(" <unfinished ...>")]
            return
        half = re.match(r"<\.\.\. \w+ resumed>", text)
        if half:
            text = self.halves.pop(tid, "") + text[half.end():]
        match = re.match(r"(\w+)\((.*)\)\s+= (-?\w+)", text)
        if match:
            self.call(tid, float(time), *match.groups())

    def call(self, tid, time, name, args, result):
        if name in ("clone", "clone3", "fork", "vfork"):
            group = self.group.get(tid, tid)
            self.group[result] = group if "CLONE_THREAD" in args and (group != self.main or self.thread) else result
            if "CLONE_THREAD" in args and group == self.main:
                self.group[result] = result
            return
        if self.target not in args or result.startswith("-"):
            return
        worker = tid if self.thread else self.group.get(tid, tid)
        file = os.path.relpath(re.search(re.escape(self.target) + r"[^>\"]*", args).group(), self.target)
        if tid == self.main:
            return
        method = getattr(self, "on_" + name, None)
        if method:
            self.descriptor = worker, args.split("<")[0]
            method(worker, time, file, args, int(result, 0))

    def event(self, worker, kind, value, file):
        self.events.append((worker, kind, value, file, self.descriptor in self.layouts))

    def io(self, worker, time, op, file, offset, length):
        self.event(worker, "ios", (op, file, offset, length), file)
        self.times.append(time)

    def on_openat(self, worker, time, file, args, result):
        flags = set(re.findall(r"O_\w+", args)) - {"O_CLOEXEC", "O_LARGEFILE", "O_CREAT"}
        if "O_NONBLOCK" in flags:
            return
        self.descriptor = worker, str(result)
        self.position[self.descriptor] = 0
        self.layouts.discard(self.descriptor)
        if flags & LAYOUT:
            self.layouts.add(self.descriptor)
        else:
            self.events = [e for e in self.events if not e[4] or (e[0], e[3]) != (worker, file)]
        self.event(worker, "opens", file + " " + "|".join(sorted(flags - LAYOUT)), file)

    def on_lseek(self, worker, time, file, args, result):
        self.position[self.descriptor] = result

    def on_read(self, worker, time, file, args, result):
        self.at_position("read", worker, time, file, args, result)

    def on_write(self, worker, time, file, args, result):
        self.at_position("write", worker, time, file, args, result)

    on_readv, on_writev = on_read, on_write

    def at_position(self, op, worker, time, file, args, result):
        at = self.position.get(self.descriptor, 0)
        self.io(worker, time, op, file, at, result)
        self.position[self.descriptor] = at + result

    def on_pread64(self, worker, time, file, args, result):
        self.io(worker, time, "read", file, int(args.split(", ")[-1], 0), result)

    def on_pwrite64(self, worker, time, file, args, result):
        self.io(worker, time, "write", file, int(args.split(", ")[-1], 0), result)

    on_preadv, on_pwritev = on_pread64, on_pwrite64

    def on_preadv2(self, worker, time, file, args, result, op="read"):
        offset, flags = args.split(", ")[-2:]
        self.io(worker, time, op if flags == "0" else op + " " + flags, file, int(offset, 0), result)

    def on_pwritev2(self, *args):
        self.on_preadv2(*args, op="write")

    def on_io_submit(self, worker, time, file, args, result):
        for iocb in re.findall(r"aio_lio_opcode=[^}]*", args)[:result]:
            field = dict(re.findall(r"(\w+)=([^,]+)", iocb))
            file = os.path.relpath(field["aio_fildes"].split("<")[1].rstrip(">"), self.target)
            op = field["aio_lio_opcode"][len("IOCB_CMD_"):].lower()
            if op in ("fsync", "fdsync"):
                self.sync(worker, op.replace("fd", "fdata"), file)
            else:
                self.io(worker, time, {"pread": "read", "pwrite": "write"}.get(op, op), file, int(field["aio_offset"]),
                        int(field["aio_nbytes"]))

    def sync(self, worker, kind, file, extent=""):
        self.event(worker, "syncs", (kind, file, extent), file)

    def on_fsync(self, worker, time, file, args, result):
        self.sync(worker, "fsync", file)

    def on_fdatasync(self, worker, time, file, args, result):
        self.sync(worker, "fdatasync", file)

    def on_sync_file_range(self, worker, time, file, args, result):
        self.sync(worker, "sync_file_range", file, args.split(">, ")[1])

    def on_fadvise64(self, worker, time, file, args, result):
        self.event(worker, "drops" if "DONTNEED" in args else "advice", file + " " + args.split(">, ")[1], file)

    def on_ioctl(self, worker, time, file, args, result):
        if "BLKFLSBUF" in args:
            self.event(worker, "drops", file + " BLKFLSBUF", file)
        elif "BLKDISCARD" in args:
            offset, length = re.search(r"\[(\d+), (\d+)\]", args).groups()
            self.io(worker, time, "trim", file, int(offset), int(length))

    def on_fallocate(self, worker, time, file, args, result):
        if "PUNCH_HOLE" in args:
            self.io(worker, time, "trim", file, *(int(n, 0) for n in args.split(", ")[-2:]))

    def on_unlink(self, worker, time, file, args, result):
        self.event(worker, "unlinks", file, file)

    on_unlinkat = on_unlink


def counters(device):
    number = [int(word) for word in open("/sys/block/%s/stat" % os.path.basename(device)).read().split()]
    return {"written": number[6], "trims": number[11], "trimmed": number[13], "flushes": number[15]}


def bios(lane, main):
    """The workers' requests at the block layer's entry: worker -> (op, device, offset, length)."""
    found = collections.defaultdict(list)
    for line in open(lane.trace + "/trace"):
        match = re.match(r"\s*(.+)-(\d+)\s+\[.*block_bio_queue: \d+,\d+ (\w+) (\d+) \+ (\d+)", line)
        if match and match.group(2) != main and int(match.group(5)):
            flags, sector, length = match.group(3), int(match.group(4)), int(match.group(5))
            found[match.group(2)].append((flags, ".", sector * 512, length * 512))
    return found


def tree(directory):
    """The size of each file, and how many times 32 KiB it has on the disk: a block of metadata does not count."""
    found = {}
    for at, names, files in os.walk(directory):
        for name in names + files:
            status = os.lstat(os.path.join(at, name))
            found[os.path.relpath(os.path.join(at, name), directory)] = (status.st_size, status.st_blocks // 64) if name in files else ()
    return found


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def flat(workers):
    return [io for ios in workers.values() for io in ios]


class Seen:
    """What a program did with a job."""

    def __init__(self, program, lane, where, options):
        target = lane.dev if where == "dev" else lane.mount
        self.prepare(lane)
        before = counters(lane.dev)
        self.run(program, lane, target, options)
        self.calls = Calls(lane.dir + "/calls", target, options)
        if {"ioengine=mmap", "ioengine=io_uring"} & set(options):  # Not all of their syncs are calls of fsync; the counters tell.
            self.calls.syncs.clear()
        self.bios = bios(lane, self.calls.main) if lane.trace and where == "dev" else {}
        sh("blockdev --flushbufs " + lane.dev)
        after = counters(lane.dev)
        self.disk = {name: after[name] - before[name] for name in after} if where == "dev" else {}
        self.files = tree(lane.mount)
        names = [os.path.join(lane.mount, name) for name, size in sorted(self.files.items()) if size]
        self.contents = [digest(path) for path in ([lane.dev] if where == "dev" else names)]

    def prepare(self, lane):
        """The device has zeroes, the file system is empty, and nothing is cached."""
        for name in os.listdir(lane.mount):
            path = os.path.join(lane.mount, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        sh("until ! blkdiscard %s 2>&1 | grep -q busy; do :; done; blockdev --flushbufs %s" % (lane.dev, lane.dev), timeout=60)
        if lane.trace:
            put(lane.trace + "/trace", "")

    def run(self, program, lane, target, options):
        place = "--filename=" if target == lane.dev else "--directory="
        command = "timeout -s KILL 60 strace -f -y -v -s0 -qq -ttt --seccomp-bpf -e trace=%s -o %s/calls %s --name=j %s%s %s" % (
            CALLS, lane.dir, program, place, target, " ".join("--" + o.replace("TARGET", target) for o in options))
        done = sh(command, cwd=lane.dir, env=dict(os.environ, LC_ALL="C"))
        self.code, self.said = done.returncode, done.stdout

    def ios(self):
        """All I/Os; those of the block layer where system calls show none."""
        return flat(self.calls.ios) or flat(self.bios)
