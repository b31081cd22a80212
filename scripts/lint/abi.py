#!/usr/bin/env python3
"""Rules of the C ABI headers that a compiler does not check.

  abi.py tags INCLUDE_DIR          each function pointer's comment ends with its thread tag, [main], [worker] or [any]
  abi.py program INCLUDE_DIR       prints a C program that prints size and field offsets of every struct
  abi.py extends OLD NEW           layout NEW keeps all of layout OLD: same offsets; structs that do not begin with `size` unchanged
"""
import pathlib
import re
import sys

STRUCT = re.compile(r"struct (pinion_\w+) \{(.*?)\n\}", re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"\(\*(\w+)\)\s*\(")
TAG = re.compile(r"\[(main|worker|any)\]\s*\*/\s*$", re.S)


def headers(folder):
    found = sorted(pathlib.Path(folder).glob("pinion/*.h"))
    if not found:
        sys.exit(f"abi: no headers under {folder}/pinion")
    return found


def structs(folder):
    """(header, struct name, body with comments) of every struct with a body."""
    for header in headers(folder):
        for match in STRUCT.finditer(header.read_text()):
            yield header, match.group(1), match.group(2)


def declarations(body):
    """(text with its comments, text without) of each field declaration."""
    blank = COMMENT.sub(lambda m: " " * len(m.group()), body)
    start = 0
    for match in re.finditer(";", blank):
        yield body[start:match.start()], blank[start:match.start()].strip()
        start = match.end()


def field_names(declaration):
    function = FUNCTION.search(declaration)
    if function:
        return [function.group(1)]
    names = []
    for part in declaration.split(","):
        names.append(re.search(r"(\w+)\s*(\[[^\]]*\])?$", part.strip()).group(1))
    return names


def comment_above(text):
    """The comment right before a function pointer's declaration (a trailing one belongs to the line before)."""
    comments = list(COMMENT.finditer(text))
    name = FUNCTION.search(text)
    before = [c for c in comments if c.end() <= name.start()]
    return before[-1].group() if before else ""


def tags(folder):
    failures, count = [], 0
    for header, name, body in structs(folder):
        for text, blank in declarations(body):
            if not FUNCTION.search(blank):
                continue
            count += 1
            if not TAG.search(comment_above(text)):
                failures.append(f"{header.name}: {name}.{field_names(blank)[0]}: its comment must end with a thread tag: "
                                "[main], [worker] or [any]")
    print("\n".join(failures) or f"{count} function pointers, each with its thread tag")
    return 1 if failures or count == 0 else 0


def program(folder):
    print("#include <pinion/pinion.h>\n#include <stdio.h>\nint main(void) {")
    for _, name, body in structs(folder):
        print(f'  printf("{name} %zu\\n", sizeof({name}));')
        for _, blank in declarations(body):
            for field in field_names(blank):
                print(f'  printf("  {field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
    print("  return 0;\n}")
    return 0


def read_layout(path):
    layout, current = {}, None
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split()
        if line.startswith("  "):
            current[words[0]] = tuple(words[1:])
        else:
            current = layout[words[0]] = {"": words[1]}
    return layout


def extends(old_path, new_path):
    old, new = read_layout(old_path), read_layout(new_path)
    failures = []
    for name, fields in old.items():
        now = new.get(name)
        if now is None:
            failures.append(f"{name}: gone")
            continue
        frozen = next(f for f in fields if f) != "size"
        for field, place in fields.items():
            if field and now.get(field) != place:
                failures.append(f"{name}.{field}: was {place}, is {now.get(field)}")
        if frozen and now != fields:
            failures.append(f"{name}: is frozen, but changed")
    print("\n".join(failures) or f"{new_path} keeps all {len(old)} structs of {old_path}")
    return 1 if failures or not old else 0


COMMANDS = {"tags": tags, "program": program, "extends": extends}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
