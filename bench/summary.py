"""The figures of `bench/run` as one page of text."""
import race


def page(document):
    """All lines, from a document of schema pinion.bench/1."""
    machine, components = document["machine"], document["components"]
    lines = [f"pinion bench: {machine['cpu']}, {machine['threads']} threads, commit {machine['commit']}, {machine['time']}"]
    for title, body in (
            ("One proof of partition 0, keys loaded, the same bytes from both", races(document["races"])),
            ("`pinion prove` on the whole case: plugins, keys read and checked, everything verified", commands(document["races"])),
            ("Parameter generation, 2 KiB test keys", keys(document["keys"])),
            ("Sums of multiples in G1, full-size scalars, ms", sums(components.get("bench-cpu", {}))),
            ("Transforms over Fr, ms", transforms(components.get("bench-cpu", {}))),
            ("Four slabs of memory, made one after the other, first touch included, GiB/s", slabs(components.get("bench-memory", {}))),
            ("On the device, ms", device(components.get("bench-cuda", {}))),
            ("Left out", [f"{name}: {part['skipped']}" for name, part in components.items() if "skipped" in part]),
            ("FAILED", document["failures"])):
        if body:
            lines += ["", title, *("  " + line for line in body)]
    return lines


def races(rows):
    return race.table(rows) if rows else []


def commands(rows):
    return [f"{row['case']:<28} {row['command']['seconds']:7.2f} s   {row['command']['peak_bytes'] / 1e9:.2f} GB"
            for row in rows if "command" in row]


def keys(rows):
    lines = []
    for row in rows:
        line = f"{row['family']:<28} {row['seconds']:7.2f} s   {row['peak_bytes'] / 1e9:.2f} GB, a file of {row['file_bytes'] / 1e9:.2f} GB"
        if "reference" in row:
            theirs, ratio = row["reference"], row["reference"]["seconds"] / row["seconds"]
            line += (f"; the reference {theirs['seconds']:.0f} s, {ratio:.1f} x" if theirs["finished"] else
                     f"; the reference was stopped after {theirs['seconds']:.0f} s: more than {ratio:.1f} x")
        lines.append(line)
    return lines


def milliseconds(document):
    """bench-cpu's figures by name and log2 of the size; what this CPU cannot run is left out."""
    return {tuple(row["name"].split("/")[:2]): row["real_time"] for row in document.get("benchmarks", [])
            if not row.get("error_occurred")}


def grid(figures, columns, ratio=None):
    """A line for each size; `ratio` names a dividend and the columns it is divided by, the first that is there."""
    sizes = sorted({int(size) for name, size in figures if name in columns.values()})
    if not sizes:
        return []
    lines = [f"{'':<8}" + "".join(f"{title:>20}" for title in columns) + (f"{'ratio':>9}" if ratio else "")]
    for size in sizes:
        cells = [figures.get((name, str(size))) for name in columns.values()]
        line = f"2^{size:<6}" + "".join(f"{'-' if cell is None else f'{cell:.3f}':>20}" for cell in cells)
        if ratio:
            ours = next((figures[name, str(size)] for name in ratio[1] if (name, str(size)) in figures), None)
            theirs = figures.get((ratio[0], str(size)))
            line += f"{'-':>9}" if ours is None or theirs is None else f"{theirs / ours:7.1f} x"
        lines.append(line)
    return lines


def sums(document):
    return grid(milliseconds(document), {"AVX-512 IFMA": "msm_ifma", "portable": "msm_portable", "blst's Pippenger": "msm_blst"},
                ("msm_blst", ("msm_ifma", "msm_portable")))


def transforms(document):
    return grid(milliseconds(document), {"one, IFMA": "ntt_ifma", "one, portable": "ntt_portable",
                                         "quotient, IFMA": "quotient_ifma", "quotient, portable": "quotient_portable"})


def slabs(document):
    lines = []
    for row in document.get("strategies", []):
        if "refused" in row:
            lines.append(f"{row['way']:<28} refused: {row['refused']}")
            continue
        made, given_up = (row["one_by_one"][rate]["median"] for rate in ("make_gib_per_s", "give_up_gib_per_s"))
        lines.append(f"{row['way']:<28} {made:7.1f} made {given_up:8.1f} given up")
    return lines


def device(document):
    return [f"{row['name']:<60} {row['median_ms']:10.2f}" for row in document.get("rows", [])]
