"""Runs one program. This module is part of the snapshot: it is imported once, when the snapshot is made.

Nothing here is a wall. The import guard is a courtesy that names what is missing; what a program cannot do, it cannot do
because the interpreter has no way out of WebAssembly.
"""

import ast
import asyncio
import builtins
import io
import json
import linecache
import opcode
import os
import random
import select
import selectors
import sys
import time
import traceback

# Imported here so that programs find them ready: what they may import, and what a warning needs.
for _name in READY:
    __import__(_name)

HOME = "/home/user"
TRACEBACK_MAX_CHARACTERS = 8_000
BLOCKED = ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "ctypes", "_ctypes", "micropip")
BAD_IMPORT = "No module named {0!r} here: it is not available; see the list at Tools"
# Kept here: a program may put something else in its place.
_leave = os._exit


class _Blocked:
    """The first finder of all: names of the bridge do not exist for programs."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def _sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        select.poll().poll(min(left * 1000, 2_000_000_000))


class _Selector(selectors._BaseSelectorImpl):
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("Nothing is left that could wake the event loop")
        _sleep(max(0, timeout))
        return []


class _Loop(asyncio.SelectorEventLoop):
    """Timers and tasks; there is nothing outside to wait for."""

    def __init__(self):
        super().__init__(_Selector())

    def _make_self_pipe(self):
        self._internal_fds = 0

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


def _stream(descriptor):
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def _open_streams():
    sys.stdout = sys.__stdout__ = _stream(1)
    sys.stderr = sys.__stderr__ = _stream(2)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")


def _module_of(finder):
    return getattr(finder, "__module__", "") + type(finder).__module__


def _forget_bridge():
    for name in list(sys.modules):
        if name.split(".")[0] in BLOCKED:
            del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if "pyodide" not in _module_of(finder)]
    sys.meta_path.insert(0, _Blocked())


def _is_import_statement(frame):
    """Whether the frame runs one just now. Otherwise C code imports on the program's behalf, as strptime does."""
    return frame.f_code.co_code[frame.f_lasti] == IMPORT_NAME


def _guard_imports(allowed):
    allowed = frozenset(allowed) | _local_modules()
    real_import = builtins.__import__

    def guarded(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and (globals or {}).get("__name__") == "__main__" and name.split(".")[0] not in allowed:
            if _is_import_statement(sys._getframe(1)):
                raise ImportError(BAD_IMPORT.format(name), name=name)
        return real_import(name, globals, locals, fromlist, level)

    builtins.__import__ = guarded
    return allowed


def _local_modules():
    """What the files beside the program can be imported as."""
    return {name.removesuffix(".py") for name in os.listdir(HOME) if name.endswith(".py") or "." not in name}


def _first_bad_import(tree, allowed):
    """Of the imports that run whatever happens: one inside try, if or def may never be reached."""
    for node in tree.body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        for name in names:
            if name.split(".")[0] not in allowed and name != "__future__":
                return node, name
    return None


def _refuse_import(source, file_name, node, name):
    line = source.splitlines()[node.lineno - 1].strip()
    sys.stderr.write("Traceback (most recent call last):\n")
    sys.stderr.write(f'  File "{file_name}", line {node.lineno}, in <module>\n    {line}\n')
    sys.stderr.write(f"ImportError: {BAD_IMPORT.format(name)}\n")


def _next_own(frames):
    while frames and frames.tb_frame.f_code.co_filename == "_run":
        frames = frames.tb_next
    return frames


def _without_runner(frames, file_name):
    """From the program's own first frame on, without the functions here that stand in for Python's."""
    while frames and frames.tb_frame.f_code.co_filename != file_name:
        frames = frames.tb_next
    frame = frames
    while frame:
        following = _next_own(frame.tb_next)
        frame.tb_next = following
        frame = following
    return frames


def _print_exception(error, file_name):
    """As Python prints it, with files as their owner names them, and never endless."""
    frames = _without_runner(error.__traceback__, file_name)
    try:
        text = "".join(traceback.format_exception(type(error), error, frames))
        text = text.replace(f'  File "{HOME}/', '  File "')
    except BaseException:
        text = f"{type(error).__name__}\n"
    if len(text) > TRACEBACK_MAX_CHARACTERS:
        half = TRACEBACK_MAX_CHARACTERS // 2
        text = f"{text[:half]}\n  … {len(text) - 2 * half} characters left out …\n{text[-half:]}"
    sys.stderr.write(text)


def _exit_code(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    sys.stderr.write(f"{code}\n")
    return 1


# As a byte it is 1, as for every other exception; the whole number says which one it was.
MEMORY_EXIT = 0x1001
IMPORT_NAME = opcode.opmap["IMPORT_NAME"]


def _run(order):
    file_name = order["name"]
    with open(file_name, encoding="utf-8", newline="") as file:
        # Without the byte order mark that some editors put before a text. The encoding that is made for it would have to be loaded.
        source = file.read().removeprefix("\ufeff")
    linecache.cache[file_name] = (len(source), None, source.splitlines(True), file_name)
    allowed = order["allowed_imports"]
    if allowed is not None:
        allowed = _guard_imports(allowed)
        tree = compile(source, file_name, "exec", ast.PyCF_ONLY_AST)
        bad = _first_bad_import(tree, allowed)
        if bad:
            _refuse_import(source, file_name, *bad)
            return 1
    program = type(sys)("__main__")
    program.__file__ = file_name
    program.__builtins__ = builtins
    sys.modules["__main__"] = program
    code = compile(source, file_name, "exec", dont_inherit=True)
    exec(code, program.__dict__)
    return 0


def warm_up():
    """Goes the way of a program, with one that does next to nothing, and leaves nothing behind."""
    source = "import math\nprint(1)\n"
    _first_bad_import(compile(source, "main.py", "exec", ast.PyCF_ONLY_AST), frozenset(["math"]))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    exec(compile(source, "main.py", "exec", dont_inherit=True), {"print": lambda word: print(word, file=out)})


def main(order_text):
    order = json.loads(order_text)
    exit_code = 1
    try:
        _open_streams()
        _forget_bridge()
        os.environ.clear()
        os.environ["HOME"] = HOME
        os.chdir(HOME)
        sys.argv[:] = [order["name"], *order["args"]]
        sys.path[:] = [HOME, *(entry for entry in sys.path if entry)]
        sys.dont_write_bytecode = True
        # By default it takes 2,500 bytes, which takes longer than all else here.
        random.seed(int.from_bytes(os.urandom(32)))
        exit_code = _run(order)
    except SystemExit as error:
        exit_code = _exit_code(error)
    except BaseException as error:
        if isinstance(error, MemoryError):
            exit_code = MEMORY_EXIT
        try:
            _print_exception(error, order["name"])
        except BaseException:
            pass
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        _leave(exit_code)


time.sleep = _sleep
asyncio.events._event_loop_policy = None
asyncio.events._set_running_loop(None)
asyncio.SelectorEventLoop = _Loop
asyncio.run = asyncio.runners.run
asyncio.new_event_loop = asyncio.events.new_event_loop = _Loop
asyncio.runners.events.new_event_loop = _Loop
sys.setrecursionlimit(1000)
