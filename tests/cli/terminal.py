"""Runs a command on a terminal of its own, types what it is given once it is asked, and prints all that came, as JSON with the exit code."""

import json
import os
import pty
import sys

typed = sys.argv[1].encode()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk
    if typed and shown.rstrip().endswith(b":"):
        os.write(terminal, typed)
        typed = b""
_, status = os.waitpid(pid, 0)
print(json.dumps({"shown": shown.decode("utf-8", "replace"), "code": os.waitstatus_to_exitcode(status)}))
