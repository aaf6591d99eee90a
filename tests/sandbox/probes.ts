import { ALLOWED_IMPORTS } from "#domain/code-runs/code-run.ts";

/**
 * Attempts that leave a program running: each is the body of a function; its outcome is the name of the exception or the returned value.
 * One program tries all of a class, without the import guard's checks.
 */
type Probe = [attempt: string, outcome: RegExp];

const NO_FILE = /^FileNotFoundError$/;
const NO_MODULE = /^ModuleNotFoundError$/;
const NO_SOCKET = /^(PermissionError|OSError|gaierror|AttributeError)$/;
const NO_PROCESS = /^(OSError|AttributeError|PermissionError|RuntimeError|ModuleNotFoundError|ImportError)$/;

export const PROBES: Record<string, Probe[]> = {
  files: [
    ["return open('/etc/passwd').read()", NO_FILE],
    ["return open('/etc/shadow').read()", NO_FILE],
    ["return open('../../../../../../etc/hostname').read()", NO_FILE],
    ["return open('/proc/self/environ').read()", NO_FILE],
    ["return open('/proc/1/cmdline').read()", NO_FILE],
    ["return open('/proc/self/maps').read()", NO_FILE],
    ["return open('/proc/self/root/etc/passwd').read()", NO_FILE],
    ["import os; return sorted(os.listdir('/'))", /^\['dev', 'home', 'lib', 'proc', 'tmp'\]$/],
    ["import os; return sorted(os.listdir('/home'))", /^\['user', 'web_user'\]$/],
    ["import os; return os.listdir('/root')", NO_FILE],
    ["import os; return sorted(os.environ.items())", /^\[\('HOME', '\/home\/user'\)\]$/],
    ["import os; os.symlink('/etc/passwd', '/tmp/l'); return open('/tmp/l').read()", NO_FILE],
    ["import os; os.chroot('/')", NO_PROCESS],
    ["import os; return os.stat('/etc/passwd')", NO_FILE],
    ["import glob; return glob.glob('/etc/*') + glob.glob('/usr/*')", /^\[\]$/],
    ["import pathlib; return pathlib.Path('/var').exists()", /^False$/],
    [
      "import os; kept = []\n  for i in range(5):\n   f = open('/tmp/u', 'wb'); f.write(b'x' * 8_000_000); kept.append(f); os.unlink('/tmp/u')",
      /^OSError$/,
    ],
    [
      "import os\n  r, w = os.pipe()\n  try:\n   while True: os.write(w, b'x' * 65_536)\n  finally: os.close(r); os.close(w)",
      /^OSError$/,
    ],
    [
      "import os; name = '/tmp/__proto__'\n  for i in range(3):\n   open(name, 'wb').write(b'x' * 12_000_000); os.unlink(name)\n  return os.path.exists(name), '__proto__' in os.listdir('/tmp')",
      /^\(False, False\)$/,
    ],
    [
      "open('/tmp/__proto__', 'wb').write(b'x' * 20_000_000)\n  try: open('/tmp/constructor', 'wb').write(b'x' * 20_000_000)\n  finally: import os; [os.unlink(f'/tmp/{n}') for n in ('__proto__', 'constructor')]",
      /^OSError$/,
    ],
    [
      "import os\n  for i in range(3):\n   open('/tmp/new', 'wb').write(b'x' * 12_000_000); os.rename('/tmp/new', '/tmp/old')\n  os.unlink('/tmp/old'); return os.path.exists('/tmp/new')",
      /^False$/,
    ],
    ["open('/tmp/large', 'wb').write(b'x' * 40_000_000)", /^(OSError|MemoryError)$/],
    ["import os; f = open('/tmp/t', 'wb'); os.ftruncate(f.fileno(), 2**30)", /^OSError$/],
    ["import os; return [os.close(d) for d in [os.open('/dev/null', 0)]]", /^\[None\]$/],
    ["open('/dev/sda')", NO_FILE],
    ["open('/dev/mem')", NO_FILE],
    ["return open('/dev/urandom', 'rb', 0).read(8) != open('/dev/urandom', 'rb', 0).read(8)", /^True$/],
    [
      "import os; f = open('/tmp/f', 'wb'); os.ftruncate(f.fileno(), 33_500_000); os.symlink('x', '/tmp/short'); os.symlink('x' * 30_000, '/tmp/long')",
      /^OSError$/,
    ],
    ["import os; return os.path.lexists('/tmp/short'), os.path.lexists('/tmp/long')", /^\(True, False\)$/],
  ],
  network: [
    ["import socket; socket.socket()", NO_SOCKET],
    ["import socket; socket.create_connection(('127.0.0.1', 80), 1)", NO_SOCKET],
    ["import socket; socket.getaddrinfo('example.com', 80)", NO_SOCKET],
    ["import socket; socket.gethostbyname('localhost')", NO_SOCKET],
    ["import socket; socket.socketpair()", /^(PermissionError|OSError|AttributeError)$/],
    ["import socket; socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)", NO_SOCKET],
    ["import socket; socket.socket(fileno=1)", NO_SOCKET],
    ["import urllib.request; urllib.request.urlopen('http://127.0.0.1/', timeout=1)", /^URLError$/],
    ["import http.client; http.client.HTTPConnection('169.254.169.254').request('GET', '/')", NO_SOCKET],
    ["import ftplib; ftplib.FTP('127.0.0.1')", NO_SOCKET],
    ["import smtplib; smtplib.SMTP('127.0.0.1')", NO_SOCKET],
    ["from pyodide.http import pyfetch", NO_MODULE],
    [
      "import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', 80))",
      /^(OSError|PermissionError|gaierror|RuntimeError)$/,
    ],
  ],
  processes: [
    ["import os; return os.system('id') == 0", /^(False|OSError|PermissionError|AttributeError)$/],
    ["import os; os.fork()", NO_PROCESS],
    ["import os; os.execv('/bin/sh', ['sh'])", NO_PROCESS],
    ["import os; os.posix_spawn('/bin/sh', ['sh'], {})", NO_PROCESS],
    ["import subprocess; subprocess.run(['id'])", NO_PROCESS],
    ["import subprocess; subprocess.check_output('id', shell=True)", NO_PROCESS],
    ["import os; return os.popen('id').read()", NO_PROCESS],
    ["import multiprocessing; multiprocessing.Process(target=print).start()", NO_PROCESS],
    ["import threading; threading.Thread(target=print).start()", /^RuntimeError$/],
    ["import pty; pty.fork()", NO_PROCESS],
    ["import os; os.kill(1, 9)", NO_PROCESS],
    ["import os; os.kill(os.getppid(), 9)", NO_PROCESS],
    ["import os; os.setuid(12345)", NO_PROCESS],
    ["import concurrent.futures as c; c.ThreadPoolExecutor().submit(print)", NO_PROCESS],
  ],
  "the bridge to JavaScript": [
    ["import js", NO_MODULE],
    ["import pyodide", NO_MODULE],
    ["import pyodide_js", NO_MODULE],
    ["import _pyodide", NO_MODULE],
    ["import _pyodide_core", NO_MODULE],
    ["from pyodide.ffi import create_proxy", NO_MODULE],
    ["from pyodide.code import run_js; run_js('1')", NO_MODULE],
    ["import importlib; importlib.import_module('js')", NO_MODULE],
    [
      "import sys; return [m for m in sys.modules if m.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide')]",
      /^\[\]$/,
    ],
    ["import micropip", NO_MODULE],
    ["import ctypes", NO_MODULE],
    ["import _ctypes", NO_MODULE],
    [
      "import sys; sys.meta_path[:] = [f for f in sys.meta_path if 'Blocked' not in repr(f)]; import js",
      NO_MODULE,
    ],
  ],
  "tricks of the language": [
    [
      "t = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close']; return t[0].__init__.__globals__['system']('id') == 0",
      /^(False|OSError|PermissionError|IndexError|KeyError)$/,
    ],
    ["return [].__class__.__mro__[1].__subclasses__().__len__() > 100", /^True$/],
    [
      "return (lambda: 0).__globals__['__builtins__'].__import__('os').system('id') == 0",
      /^(False|OSError|PermissionError|AttributeError)$/,
    ],
    ["import sys; f = sys._getframe(); n = 0\n  while f: n += 1; f = f.f_back\n  return n < 50", /^True$/],
    ["return eval('__import__(\"os\").getcwd()')", /^'\/home\/user'$/],
    ["class A: pass\n  A.__class__ = int", /^TypeError$/],
    ["object.__setattr__(int, 'x', 1)", /^TypeError$/],
    ["import gc; return isinstance(gc.get_objects(), list)", /^True$/],
    [
      "import pickle; return pickle.loads(b\"cos\\nsystem\\n(S'id'\\ntR.\") == 0",
      /^(False|OSError|PermissionError|AttributeError|ModuleNotFoundError)$/,
    ],
    ["import marshal; marshal.loads(b'\\xff\\xff\\xff')", /^(ValueError|EOFError|TypeError)$/],
    ["compile('x' * 10 + '(' * 300, 'a', 'exec')", /^SyntaxError$/],
  ],
  signals: [
    ["import signal; signal.raise_signal(signal.SIGINT)", /^KeyboardInterrupt$/],
    ["import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); return True", /^True$/],
    ["import signal; return signal.setitimer(signal.ITIMER_REAL, 0.01)", /^(.*Error|\(.*\))$/],
    ["import signal; return signal.alarm(1)", /^(0|.*Error)$/],
    ["import signal; signal.pause()", /^(.*Error|None)$/],
  ],
  "host calls": [
    ["import os; return len(os.urandom(200_000))", /^200000$/],
    ["import os; return os.urandom(8) != os.urandom(8)", /^True$/],
    ["import time; time.sleep(-1)", /^ValueError$/],
    ["import select; return select.poll().poll(0)", /^\[\]$/],
    ["import fcntl; fcntl.ioctl(0, 0x5413, b'0' * 8)", /^(OSError|PermissionError)$/],
    ["input()", /^EOFError$/],
    ["import os; r, w = os.pipe(); os.write(w, b'x'); return os.read(r, 1)", /^b'x'$/],
    ["import os\n  for i in range(5000): os.open('/dev/null', 0)", /^OSError$/],
    ["import time; return 1.7e9 < time.time() < 1e10", /^True$/],
    ["import os; return os.getuid() in (0, 65534)", /^True$/],
    ["import os; os.mkdir('locked'); os.chmod('locked', 0)", /^None$/],
    ["import shutil; shutil.rmtree('/home/user', ignore_errors=True)", /^None$/],
  ],
};

/** The same for programs with the import guard: modules that allowed modules import are not refused. */
const IMPORTED = ALLOWED_IMPORTS.filter((name) => name !== "__future__");

export const GUARDED_PROBES: Record<string, Probe[]> = {
  "the standard library": [
    ["import datetime; return datetime.datetime.strptime('2024-02', '%Y-%m').month", /^2$/],
    ["import time; return time.strptime('2024', '%Y').tm_year", /^2024$/],
    ["import sys; sys.set_int_max_str_digits(0); return len(str(3 ** 60_000))", /^28628$/],
    [
      "import hashlib; return hashlib.pbkdf2_hmac('sha1', b'password', b'salt', 2, 20).hex()[:8]",
      /^'ea6c014d'$/,
    ],
    ["import hashlib; hashlib.pbkdf2_hmac('sha256', b'password', b'salt', 0)", /^ValueError$/],
    ["import hashlib; return hashlib.scrypt(b'', salt=b'', n=16, r=1, p=1).hex()[:8]", /^'77d65762'$/],
    [
      "import hashlib; return hashlib.scrypt(b'password', salt=b'NaCl', n=1024, r=8, p=16).hex()[-8:]",
      /^'a2cc0640'$/,
    ],
    ["import hashlib; hashlib.scrypt(b'', salt=b'', n=15, r=1, p=1)", /^ValueError$/],
    ["return open('/dev/scrypt', 'rb', buffering=0).readinto(bytearray(400))", /^OSError$/],
    ["import os", /^ImportError$/],
  ],
  "what programs can import": [
    [
      `import ${IMPORTED.join(", ")}; return len([${IMPORTED.join(", ")}])`,
      new RegExp(`^${IMPORTED.length}$`),
    ],
    [
      "import bz2, gzip; return [m.decompress(m.compress(b'x')) for m in (bz2, gzip)]",
      /^\[(b'x'[,\]] ?){2}$/,
    ],
    // At its usual strength it needs 94 MB to compress.
    ["import lzma; return lzma.decompress(lzma.compress(b'x', preset=0))", /^b'x'$/],
    ["import lzma; return lzma.compress(b'x')", /^MemoryError$/],
    ["import shlex; return shlex.split('a \"b c\"')", /^\['a', 'b c'\]$/],
    [
      "import pathlib, tempfile; p = pathlib.Path(tempfile.mkdtemp(), 'a'); p.write_text('x'); return p.read_text()",
      /^'x'$/,
    ],
    [
      "import argparse; p = argparse.ArgumentParser(); p.add_argument('n', type=int); return p.parse_args(['7']).n",
      /^7$/,
    ],
    [
      "try: import numpy\n  except ImportError as error: return str(error)",
      /^"No module named 'numpy' here: [^\n]{1,100}"$/,
    ],
  ],
};

export function probing(probes: Probe[]): string {
  const bodies = probes.map(([attempt], i) => `def probe_${i}():\n  ${attempt}\n`);
  return `${bodies.join("\n")}
import json
results = []
for i in range(${probes.length}):
  try:
    results.append(repr(globals()[f"probe_{i}"]()))
  except BaseException as error:
    results.append(type(error).__name__)
print(json.dumps(results))`;
}
