#!/usr/bin/python3
"""The rules of the house, checked by reading the sources of the tree at ROOT.

    house.py ROOT

Prints one line for each breach, `file:line: rule: what to do instead`; exit code 1 if there is one.
How the rules are shown to be able to fail: house_test.py.
"""

import os
import re
import sys

# Each folder sees what stands left of it. `main` is app/*.cpp.
LAYERS = ["recipes", "scenario", "trace", "sim", "explore", "play", "course", "scene", "export",
          "gui", "main"]
SEES = {name: set(LAYERS[:at + 1]) for at, name in enumerate(LAYERS)}
SEES["live"] = {"recipes", "scenario", "trace", "live"}
SEES["gui"].add("live")
SEES["main"].add("live")

CORE = {"recipes", "scenario", "trace", "sim", "explore", "play", "course", "scene"}
PORTABLE = CORE | {"export", "gui"}  # what will run in a browser and on Windows too

# Headers that one folder alone may see.
FOREIGN = [
    (r"imgui|misc/|backends/|GLFW/|glad/|GL/|ft2build|freetype", "gui"),
    (r"cairo|pango|gif_lib", "export"),
    (r"zookeeper|sqlite3|asio|boost/", "live"),
    (r"CLI/", "main"),
]

# (rule, folders, pattern over code without comments and strings, what to do instead)
WORDS = [
    ("clock", CORE, r"\w+_clock\b|<ctime>|<sys/time\.h>|\bgettimeofday\b|\bclock_gettime\b"
     r"|\bstd::time\b|(?<![\w.:>])time\s*\(\s*(?:nullptr|NULL|0|&)",
     "time is an argument here"),
    ("thread", CORE, r"\bstd::(?:thread|async|this_thread)\b|<thread>|<future>|\bpthread_\w+",
     "no threads here but in app/explore/worker.*"),
    ("random", PORTABLE, r"\brandom_device\b|(?<![\w.>])s?rand\s*\(|\bstd::(?:random_)?shuffle\b"
     r"|\b\w+_distribution\b|\bdefault_random_engine\b",
     "own mapping from the seed's bits to numbers: the library's differ from one to another"),
    ("portable", PORTABLE, r"\bstd::format\b|<format>|\bjthread\b|<ranges>|\bstd::(?:ranges|views)\b"
     r"|\bsource_location\b|\bco_(?:await|yield|return)\b|<coroutine>",
     "not in every library that we build with"),
    ("long", PORTABLE, r"\blong\b", "fixed-width integers: long differs between platforms"),
    ("binary", PORTABLE, r"\bstd::[io]?fstream\b(?:\s+\w+)?\s*[({](?![^;]*\bbinary\b)[^;)}]",
     "open files with std::ios::binary: Windows would change line ends"),
    ("exceptions", {"recipes", "sim"}, r"\bthrow\b|\btry\b|\bcatch\b",
     "no exceptions here: outcomes are values"),
]

SOURCE = re.compile(r"\.(?:cpp|h)$")
VAGUE_NAME = re.compile(r"(?:^|_)(?:utils?|helpers?|manager|common|misc)(?:_|\.|$)")
MACHINE_PATH = re.compile(r"(?<![\w.~}$/-])/(?:work|home)/\w")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.DOTALL)


def code_of(text):
    """The text with comments and strings blanked, but the names of headers and all lines kept."""
    def blank(match):
        line = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        if re.match(r"\s*#\s*include\s*$", line):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())
    return COMMENT_OR_STRING.sub(blank, text)


def folder_of(path):
    """The layer that a source file belongs to, or None."""
    parts = path.split("/")
    if parts[0] == "recipes":
        return "recipes"
    if parts[0] != "app":
        return None
    return parts[1] if len(parts) > 2 else "main"


def check_includes(path, folder, code):
    for number, line in enumerate(code.split("\n"), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        if header.startswith("."):
            yield number, "include", "name it from the root, as \"sim/world.h\""
        other = header.split("/")[0]
        if "/" in header and other in SEES and other not in SEES[folder]:
            yield number, "layer", f"{folder} may not see {other}"
        for pattern, owner in FOREIGN:
            if re.match(pattern, header) and folder != owner:
                yield number, "foreign", f"only {owner} sees {header}"


def check_words(path, folder, code):
    for rule, folders, pattern, instead in WORDS:
        if folder not in folders:
            continue
        if rule == "thread" and path.startswith("app/explore/worker"):
            continue
        for match in re.finditer(pattern, code):
            yield code.count("\n", 0, match.start()) + 1, rule, instead


def check_file(path, text):
    """The breaches within one file: (line, rule, what to do instead)."""
    for number, line in enumerate(text.split("\n"), 1):
        if MACHINE_PATH.search(line):
            yield number, "machine", "a path of one machine"
    if VAGUE_NAME.search(os.path.basename(path)):
        yield 1, "name", "say what it holds"
    folder = folder_of(path)
    if folder and SOURCE.search(path):
        if folder not in SEES:
            yield 1, "folder", f"{folder} is no layer that tests/house/house.py knows"
            return
        code = code_of(text)
        yield from check_includes(path, folder, code)
        yield from check_words(path, folder, code)


def files_of(root):
    """All files below root, without what is built, hidden folders but .ci, and faulty twins."""
    for folder, folders, files in os.walk(root):
        at = os.path.relpath(folder, root)
        folders[:] = sorted(
            f for f in folders
            if (not f.startswith(".") or f == ".ci") and not (at == "." and f.startswith("build"))
            and os.path.normpath(os.path.join(at, f)) != "tests/house/faulty"
            and f != "__pycache__")
        for name in sorted(files):
            yield os.path.normpath(os.path.join(at, name))


def check_tree(root):
    """All breaches: (file, line, rule, what to do instead)."""
    paths = list(files_of(root))
    for path in paths:
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue  # a picture
        for number, rule, instead in check_file(path, text):
            yield path, number, rule, instead
    folders = {os.path.dirname(p) for p in paths if folder_of(p) not in (None, "main")}
    for folder in sorted(folders):
        if folder + "/README.md" not in paths:
            yield folder, 1, "readme", "some ten lines: what it is, what it may not know"


def main():
    breaches = list(check_tree(sys.argv[1]))
    for path, number, rule, instead in breaches:
        print(f"{path}:{number}: {rule}: {instead}")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
