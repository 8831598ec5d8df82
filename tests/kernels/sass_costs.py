#!/usr/bin/env python3
"""What one PTX instruction becomes: compiles small kernels with ptxas and reads the SASS.
usage: sass_costs.py PTXAS NVDISASM > src/model/sass_costs.def

Each form is compiled once and three times in one kernel, on operands that ptxas cannot know and that differ by lane; half of the difference is
what one of them costs. Of a sequence with a slow path (denormal quotients, 64-bit operands above 2^32) the path without a
call is taken. Latency: the longest chain through its registers, by the latencies of docs/hardware.md 8."""
import datetime, os, re, subprocess, sys, tempfile

PTXAS, NVDISASM = sys.argv[1:3]
ARCHS = (75, 80, 90, 100)
REGISTER = {"f16": ("b16", "%h"), "bf16": ("b16", "%h"), "f16x2": ("b32", "%r"), "bf16x2": ("b32", "%r"), "f32": ("f32", "%f"), "f64": ("f64", "%d"),
            "s16": ("b16", "%h"), "u16": ("b16", "%h"), "b16": ("b16", "%h"), "s32": ("b32", "%r"), "u32": ("b32", "%r"), "b32": ("b32", "%r"),
            "s64": ("b64", "%l"), "u64": ("b64", "%l"), "b64": ("b64", "%l"), "pred": ("pred", "%p"), "tf32": ("b32", "%r"), "s8": ("b32", "%r"), "u8": ("b32", "%r")}

# (text, result, operands); operands: a type = a register that ptxas does not know, a number = itself
FORMS = []


def form(text, result, *operands):
    FORMS.append((text, result, operands))


for t in ("f32", "f64"):
    for op in ("add", "sub", "mul"):
        form(f"{op}.{t}", t, t, t)
        form(f"{op}.rz.{t}", t, t, t)
    form(f"fma.rn.{t}", t, t, t, t)
    form(f"div.rn.{t}", t, t, t)
    form(f"rcp.rn.{t}", t, t)
    form(f"sqrt.rn.{t}", t, t)
    for op in ("min", "max"):
        form(f"{op}.{t}", t, t, t)
    for op in ("neg", "abs"):
        form(f"{op}.{t}", t, t)
for ftz in ("", ".ftz"):
    form(f"div.full{ftz}.f32", "f32", "f32", "f32")
    form(f"div.approx{ftz}.f32", "f32", "f32", "f32")
    for op in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"):
        form(f"{op}.approx{ftz}.f32", "f32", "f32")
form("div.rn.ftz.f32", "f32", "f32", "f32")
form("rcp.rn.ftz.f32", "f32", "f32")
form("sqrt.rn.ftz.f32", "f32", "f32")
form("tanh.approx.f32", "f32", "f32")
form("rcp.approx.ftz.f64", "f64", "f64")
form("rsqrt.approx.f64", "f64", "f64")
form("ex2.approx.f16", "f16", "f16")
form("ex2.approx.f16x2", "f16x2", "f16x2")
form("tanh.approx.f16", "f16", "f16")
for t in ("f16", "f16x2", "bf16", "bf16x2"):
    form(f"fma.rn.{t}", t, t, t, t)
    for op in ("add", "sub", "mul", "min", "max"):
        form(f"{op}.{t}", t, t, t)
for t in ("s32", "u32", "s64", "u64", "s16", "u16"):
    wide = {"s32": "s64", "u32": "u64", "s16": "s32", "u16": "u32"}.get(t)
    for op in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
        form(f"{op}.{t}", t, t, t)
    form(f"mad.lo.{t}", t, t, t, t)
    if wide:
        form(f"mul.wide.{t}", wide, t, t)
        form(f"mad.wide.{t}", wide, t, t, wide)
    if t[0] == "s":
        form(f"neg.{t}", t, t)
        form(f"abs.{t}", t, t)
    form(f"shr.{t}", t, t, "u32")
    if t[1:] != "16":
        form(f"bfe.{t}", t, t, "u32", "u32")
        form(f"bfind.{t}", "u32", t)
form("mad.hi.u32", "u32", "u32", "u32", "u32")
form("mul24.lo.s32", "s32", "s32", "s32")
form("sad.u32", "u32", "u32", "u32", "u32")
form("dp4a.s32.s32", "s32", "s32", "s32", "s32")
for t in ("b16", "b32", "b64"):
    for op in ("and", "or", "xor"):
        form(f"{op}.{t}", t, t, t)
    form(f"not.{t}", t, t)
    form(f"shl.{t}", t, t, "u32")
    form(f"selp.{t}", t, t, t, "pred")
    if t != "b16":
        for op in ("popc", "clz"):
            form(f"{op}.{t}", "u32", t)
        form(f"brev.{t}", t, t)
        form(f"bfi.{t}", t, t, t, "u32", "u32")
form("lop3.b32", "b32", "b32", "b32", "b32", 0x96)
form("prmt.b32", "b32", "b32", "b32", "b32")
form("shf.l.wrap.b32", "b32", "b32", "b32", "u32")
form("shf.r.clamp.b32", "b32", "b32", "b32", "u32")
for t in ("f32", "f64", "s32", "u32", "s64", "u64", "f16"):
    form(f"setp.lt.{t}", "pred", t, t)
    if t[1:] != "16":
        form(f"selp.{t}", t, t, t, "pred")
for a in ("s32", "u32", "s64", "u64"):
    for f in ("f16", "f32", "f64"):
        form(f"cvt.rn.{f}.{a}", f, a)
        form(f"cvt.rzi.{a}.{f}", a, f)
for mode in ("rni", "rmi", "rpi", "rzi"):
    for f in ("f32", "f64"):
        form(f"cvt.{mode}.{f}.{f}", f, f)
for text, result, source in (("cvt.rn.f16.f32", "f16", "f32"), ("cvt.f32.f16", "f32", "f16"), ("cvt.rn.bf16.f32", "bf16", "f32"), ("cvt.f32.bf16", "f32", "bf16"),
                             ("cvt.f64.f32", "f64", "f32"), ("cvt.rn.f32.f64", "f32", "f64"), ("cvt.sat.f32.f32", "f32", "f32"), ("cvt.rna.tf32.f32", "tf32", "f32"),
                             ("cvt.s64.s32", "s64", "s32"), ("cvt.u64.u32", "u64", "u32"), ("cvt.u32.u64", "u32", "u64"), ("cvt.u32.u16", "u32", "u16"),
                             ("cvt.s32.s16", "s32", "s16"), ("cvt.u16.u32", "u16", "u32"), ("cvt.s32.s8", "s32", "s8"), ("cvt.u32.u8", "u32", "u8")):
    form(text, result, source)
form("shfl.sync.bfly.b32", "b32", "b32", 1, 31, -1)
form("shfl.sync.down.b32", "b32", "b32", "u32", 31, -1)
form("vote.sync.ballot.b32", "b32", "pred", -1)
form("match.any.sync.b32", "b32", "b32", -1)
form("redux.sync.add.s32", "s32", "s32", -1)
for shape, kind, c, na, nb, nc in (("m16n8k16", "f16.f16", "f32", 4, 2, 4), ("m16n8k8", "f16.f16", "f32", 2, 1, 4), ("m16n8k16", "bf16.bf16", "f32", 4, 2, 4),
                                   ("m16n8k8", "tf32.tf32", "f32", 4, 2, 4), ("m16n8k4", "tf32.tf32", "f32", 2, 1, 4), ("m16n8k32", "s8.s8", "s32", 4, 2, 4),
                                   ("m16n8k16", "s8.s8", "s32", 2, 1, 4), ("m8n8k4", "f64.f64", "f64", 1, 1, 2), ("m16n8k16", "f16.f16", "f16", 4, 2, 2)):
    element = "f64" if c == "f64" else "b32"
    form(f"mma.sync.aligned.{shape}.row.col.{c}.{kind}.{c}", [c if c != "f16" else "b32"] * nc, [element] * na, [element] * nb, [c if c != "f16" else "b32"] * nc)
for shape in ("m16n16k16", "m32n8k16", "m8n32k16"):
    form(f"wmma.mma.sync.aligned.row.col.{shape}.f32.f32", ["f32"] * 8, ["b32"] * 8, ["b32"] * 8, ["f32"] * 8)
    form(f"wmma.mma.sync.aligned.row.col.{shape}.f16.f16", ["b32"] * 4, ["b32"] * 8, ["b32"] * 8, ["b32"] * 4)
form("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32", ["f32"] * 8, ["b32"] * 4, ["b32"] * 4, ["f32"] * 8)
form("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", ["s32"] * 8, ["b32"] * 2, ["b32"] * 2, ["s32"] * 8)
form("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", ["f32"] * 8, ["b32"] * 4, ["b32"] * 4, ["f32"] * 8)
form("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", ["f64"] * 2, ["f64"], ["f64"], ["f64"] * 2)


def kernel(number, copies):
    text, result, operands = FORMS[number]
    body, used, at = [], {}, [0]

    def register(kind):
        width, name = REGISTER[kind]
        used[name] = used.get(name, 0) + 1
        return f"{name}{used[name]}"

    def load(kind):
        """A register with a value from memory."""
        at[0] += 8
        width = REGISTER[kind][0]
        if width == "pred":
            word, reg = load("b32"), register(kind)
            body.append(f"setp.ne.b32 {reg}, {word}, 7;")
            return reg
        reg = register(kind)
        body.append(f"ld.volatile.global.{width} {reg}, [%rd1+{at[0]}];")
        return reg

    work, stores = [], []
    for _ in range(copies):
        def many(kinds, make):
            return "{" + ", ".join(make(k) for k in kinds) + "}" if isinstance(kinds, list) else make(kinds)
        sources = [str(o & 0xffffffff) if isinstance(o, int) else many(o, load) for o in operands]
        target = many(result, register)
        work.append(f"{text} {target}, {', '.join(sources)};")
        for kind, reg in zip(result if isinstance(result, list) else [result], target.strip("{}").split(", ")):
            at[0] += 8
            if kind == "pred":
                word = register("b32")
                stores.append(f"selp.b32 {word}, 3, 5, {reg};")
                reg, kind = word, "b32"
            stores.append(f"st.volatile.global.{REGISTER[kind][0]} [%rd1+{at[0]}], {reg};")
    declare = " ".join(f".reg .{ {'%h': 'b16', '%r': 'b32', '%f': 'f32', '%d': 'f64', '%l': 'b64', '%p': 'pred'}[n]} {n}<{c + 1}>;" for n, c in used.items())
    return (f".visible .entry k{number}_{copies}(.param .u64 p) {{ .reg .b64 %rd<2>; .reg .b32 %lane; {declare}\n"
            "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %lane, %tid.x; mad.wide.u32 %rd1, %lane, 512, %rd1;\n" + "\n".join(body + work + stores) + "\nret; }\n")


PIPES = ("fp32", "heavy", "int", "special", "fp64", "tensor", "memory")
RULES = (("heavy", r"IMAD|HFMA2|HADD2|HMUL2|HMNMX2|IDP|VHMNMX|HSET|BFMA|UIMAD"), ("fp32", r"FFMA|FADD|FMUL|FSWZADD"),
         ("special", r"MUFU|FCHK|POPC|FLO|BREV|I2F\b|F2I|FRND|F2F\b|I2F\.|F2F\."), ("fp64", r"DFMA|DADD|DMUL|DSETP|DMNMX"),
         ("tensor", r"HMMA|IMMA|BMMA|DMMA|QMMA|OMMA"), ("memory", r"SHFL|LDS|STS|ATOM|RED|REDUX|MATCH|VOTE"),
         ("other", r"BRA|BSSY|BSYNC|CALL|RET|EXIT|WARPSYNC|NOP|BREAK|U[A-Z0-9]+|R2UR|S2R|CS2R|YIELD|LDC|MOVM"))
LATENCY = {"fp32": 4.2, "heavy": 4.2, "int": 4.2, "special": 17, "fp64": 8.2, "tensor": 24, "memory": 24, "other": 4}


def pipe_of(opcode):
    for name, pattern in RULES:
        if re.match(f"(?:{pattern})", opcode):
            return name
    return "int"


def weight(opcode):
    """Turns of its pipe, by docs/hardware.md 8: wide products take two; tensor cores: of a 16x8x16 product of halves."""
    for pattern, turns in ((r"IMAD\.(WIDE|HI)", 2), (r"REDUX", 2), (r"MATCH", 64), (r"HMMA\.1688\.F\d+\.TF32|HMMA\.16816|IMMA\.16832", 1),
                           (r"HMMA|IMMA\.16816", 0.5), (r"IMMA|BMMA", 0.25), (r"DMMA", 1.33)):
        if re.match(pattern, opcode):
            return turns
    return 1


def drop(opcode):
    return re.match(r"LDG|STG|LD\b|ST\b|LDC|ULDC|S2R|NOP|EXIT|R2UR|S2UR|CS2R|UMOV", opcode) is not None


def path(lines):
    """Instructions from the start to EXIT, by the way without a call if there is one."""
    labels, code = {}, []
    for line in lines:
        label = re.match(r"(\.L_x_\d+|\$\S+):", line)
        if label:
            labels[label[1]] = len(code)
        inst = re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;", line)
        if inst:
            code.append(inst.groups())
    at, out, back = 0, [], None
    while at < len(code) and len(out) < 4000:
        guard, opcode, rest = code[at]
        out.append(code[at])
        if opcode.startswith("EXIT") and not guard:
            break
        target = re.search(r"\((\.L_x_\d+|\$\S+)\)", rest)
        if opcode.startswith("CALL") and target:
            back, at = at + 1, labels[target[1]]
            continue
        if opcode.startswith("RET") and back:
            at, back = back, None
            continue
        if opcode.startswith("BRA") and target:
            to = labels[target[1]]
            skipped = code[at + 1:to] if to > at else []
            if not guard or any(o.startswith("CALL") for _, o, _ in skipped):
                if to <= at:
                    break
                at = to
                continue
        at += 1
    return out


def registers(text, wide):
    found = []
    for name in re.findall(r"\b(U?R\d+|U?P\d)\b", text):
        found.append(name)
        if wide and name.startswith("R"):
            found.append("R" + str(int(name[1:]) + 1))
    return found


def measure(code):
    counts, ready, longest = dict.fromkeys(PIPES + ("issue",), 0), {}, 0
    for guard, opcode, rest in code:
        wide = bool(re.match(r"D[A-Z]|IMAD\.WIDE|IMAD\.HI|F2F|I2F\.F64|F2I|LDG.*64|STG.*64", opcode))
        parts = rest.split(",")
        targets, sources = (parts[:1], parts[1:]) if not opcode.startswith("STG") else ([], parts[-1:])
        while sources and re.match(r"\s*!?U?P(\d|T)\s*$", sources[0]) and re.match(r"ISETP|FSETP|DSETP|IADD3|LEA|PLOP3|HSETP|IMAD.X|LOP3|SHFL|MATCH|VOTE", opcode) and len(targets) < 3:
            targets.append(sources.pop(0))
        pipe = pipe_of(opcode)
        start = max([ready.get(r, 0) for r in registers(",".join(sources) + (guard or ""), wide)] + [0])
        if opcode.startswith("STG"):
            longest = max(longest, start)
            continue
        end = 0 if opcode.startswith("LDG") else start + (0 if drop(opcode) else LATENCY[pipe] * (2 if re.match(r"IMAD\.(WIDE|HI)", opcode) else 1))
        if guard:  # the register may keep what it had
            end = max([end] + [ready.get(r, 0) for r in registers(",".join(targets), wide)])
        for r in registers(",".join(targets), wide or opcode.startswith("HMMA") or opcode.startswith("IMMA")):
            ready[r] = end
        if not drop(opcode):
            if pipe != "other":
                counts[pipe] += weight(opcode)
            counts["issue"] += 1
    return counts, longest


def listings(arch):
    """The SASS of every kernel, by name; forms that ptxas refuses for this architecture are left out."""
    kept = list(range(len(FORMS)))
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        while True:
            lines, owner = [f".version 8.8\n.target sm_{arch}\n.address_size 64\n"], [None] * 3
            for number in kept:
                for copies in (1, 3):
                    text = kernel(number, copies)
                    lines.append(text)
                    owner += [number] * text.count("\n")
            with open(ptx, "w") as file:
                file.write("".join(lines))
            done = subprocess.run([PTXAS, f"-arch=sm_{arch}", ptx, "-o", cubin], capture_output=True, text=True)
            if not done.returncode:
                break
            bad = {owner[int(n) - 1] for n in re.findall(r"line (\d+)[;,:]", done.stderr)} - {None}
            if not bad:
                sys.exit(done.stderr)
            kept = [n for n in kept if n not in bad]
        listing = subprocess.run([NVDISASM, "-c", cubin], capture_output=True, text=True).stdout
    kernels, name = {}, None
    for line in listing.split("\n"):
        found = re.match(r"\.text\.(k\d+_\d):", line)
        name = found[1] if found else name
        kernels.setdefault(name, []).append(line)
    return kernels


def cost(kernels, number):
    if f"k{number}_1" not in kernels:
        return None
    one, three = (measure(path(kernels[f"k{number}_{copies}"])) for copies in (1, 3))
    # The harness makes and reads predicates: an instruction each.
    _, result, operands = FORMS[number]
    extra = (result == "pred") + sum(o == "pred" for o in operands if isinstance(o, str))
    each = {p: (three[0][p] - one[0][p]) / 2 for p in PIPES + ("issue",)}
    each["int"], each["issue"] = max(each["int"] - extra, 0), max(each["issue"] - extra, 0)
    each["issue"] = max(each["issue"], 1)
    return tuple(max(each[p], 0) for p in ("issue",) + PIPES) + (max(one[1] - extra * LATENCY["int"], 0),)


version = re.search(r"release ([\d.]+)", subprocess.run([PTXAS, "--version"], capture_output=True, text=True).stdout)[1]
print(f"""// What ptxas {version} makes of one PTX instruction: SASS instructions by pipe. Written by tests/kernels/sass_costs.py on
// {datetime.date.today()}; do not edit.
//
// S("words", arch, instructions, fp32, heavy, int, special, fp64, tensor, memory, latency): words as PTX has them; arch:
// from this compute capability on. Turns of the pipes: heavy: IMAD and halves, on one of the two FP32 pipes; int: the
// ALU; special: MUFU, conversions, bit counts; tensor: as for a 16x8x16 product of halves; memory: shuffles, votes.
// latency: cycles of a dependent chain. Sequences with a slow path: the fast one.""")
kernels = [listings(arch) for arch in ARCHS]
for number, (text, _, _) in enumerate(FORMS):
    before = None
    for i, arch in enumerate(ARCHS):
        row = cost(kernels[i], number)
        if row is None or row == before:
            continue
        before = row
        print(f'S("{text}", {arch}, ' + ", ".join(f"{v:g}" for v in row[:-1]) + f", {row[-1]:.0f})")
