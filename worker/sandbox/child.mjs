/**
 * The disposable process: it runs programs of one person, each in an isolate of its own, until the parent kills it. It speaks
 * frames, a length and a JSON text, on descriptor 3 and listens on its standard input; when that ends, so does it.
 */
import { closeSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { runJavaScript } from "./javascript.mjs";
import { createOutput } from "./output.mjs";
import { createPython, makeCode, readInterpreter, runPython } from "./python.mjs";
import { isParserBroken } from "./typescript.mjs";

const settings = JSON.parse(process.argv[2]);
const REPORT_FD = 3;
const SNAPSHOT_FD = 4;
const CODE_FD = 5;
const FLUSH_MS = 50;

const ivm = createRequire(settings.addonFrom)("isolated-vm");

function report(message) {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  const frame = Buffer.concat([head, body]);
  for (let sent = 0; sent < frame.length; ) {
    try {
      sent += writeSync(REPORT_FD, frame, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function writeWhole(descriptor, bytes) {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
}

/** Of an isolate whose state nobody knows any more: nothing but the end of the process helps. */
const onFatal = () => process.abort();
const onFatalMemory = () => {
  report({ end: { refusedGrowth: true }, truncated: false });
  process.abort();
};

const interpreter = readInterpreter(ivm, settings, { snapshotFd: SNAPSHOT_FD, codeFd: CODE_FD });

async function preparePython() {
  const output = createOutput(settings.outputMaxBytes, report);
  const python = await createPython({ ivm, settings, interpreter, output, onFatal });
  return { ...python, output };
}

/** JavaScript makes an isolate of its own and leaves Python's untouched for the next program. */
function begin(order) {
  if (order.language === "python") {
    isUsed = true;
    return { output: python.output, ended: () => runPython(python, order) };
  }
  const { outputMaxBytes } = settings;
  const output = createOutput(outputMaxBytes, report);
  const ended = () => runJavaScript({ ivm, order, output, outputMaxBytes, onFatal: onFatalMemory });
  return { output, ended };
}

async function run(order) {
  const { output, ended } = begin(order);
  const startedAt = performance.now();
  const flushing = setInterval(output.send, FLUSH_MS);
  const end = (outcome) => {
    clearInterval(flushing);
    clearTimeout(deadline);
    output.send();
    const ms = Math.round(performance.now() - startedAt);
    report({ end: outcome, truncated: output.isTruncated(), ms, isLast: isParserBroken() });
  };
  // The isolate's own limit covers synchronous execution only, and some built-ins ignore it.
  const deadline = setTimeout(() => end({ timedOut: true }), order.timeoutMs + 20);
  const { written = [], ...outcome } = await ended();
  for (const { path, size, bytes } of written)
    report({ file: path, size, base64: bytes && Buffer.from(bytes).toString("base64") });
  end(outcome);
}

/** Every program begins in an isolate that no other has been in. */
async function renew() {
  if (isUsed) {
    python.isolate.dispose();
    python = await preparePython();
    isUsed = false;
  }
  report({ ready: true, readyMade: python.isReadyMade });
}

function dropPrivileges({ uid, gid }) {
  process.setgroups([gid]);
  process.setgid(gid);
  process.setuid(uid);
}

let python = await preparePython();
let isUsed = false;
if (settings.make === "snapshot") {
  writeWhole(SNAPSHOT_FD, python.snapshot);
  process.exit(0);
}
if (settings.make === "code") {
  for (const part of await makeCode(python, interpreter)) writeWhole(CODE_FD, part);
  process.exit(0);
}
for (const descriptor of [SNAPSHOT_FD, CODE_FD]) closeSync(descriptor);
if (settings.account) dropPrivileges(settings.account);

let heard = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  heard = Buffer.concat([heard, chunk]);
  if (heard.length < 4 || heard.length < 4 + heard.readUInt32BE(0)) return;
  const message = JSON.parse(heard.subarray(4).toString());
  heard = Buffer.alloc(0);
  void (message.again ? renew() : run(message));
});
process.stdin.on("end", () => process.exit(0));
report({ ready: true, readyMade: python.isReadyMade });
