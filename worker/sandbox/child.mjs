/**
 * The disposable process: it runs programs of one person, each in its own isolate, until the parent kills it. It writes frames
 * (a length and a JSON text) to descriptor 3 and reads standard input; it exits when that ends.
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

/** After a fatal error an isolate's state is unknown, so only ending the process is safe. */
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

/** JavaScript uses its own isolate and leaves Python's untouched for the next program. */
function prepareRun(order) {
  if (order.language === "python") {
    isUsed = true;
    return { output: python.output, runToEnd: () => runPython(python, order) };
  }
  const { outputMaxBytes } = settings;
  const output = createOutput(outputMaxBytes, report);
  const runToEnd = () => runJavaScript({ ivm, order, output, outputMaxBytes, onFatal: onFatalMemory });
  return { output, runToEnd };
}

async function run(order) {
  const { output, runToEnd } = prepareRun(order);
  const startedAt = performance.now();
  const flushing = setInterval(output.send, FLUSH_MS);
  const end = (outcome) => {
    clearInterval(flushing);
    clearTimeout(deadline);
    output.send();
    const ms = Math.round(performance.now() - startedAt);
    report({ end: outcome, truncated: output.isTruncated(), ms, isLast: isParserBroken() });
  };
  // The isolate's own limit covers only synchronous execution, and some built-ins ignore it.
  const deadline = setTimeout(() => end({ timedOut: true }), order.timeoutMs + 20);
  const { written = [], ...outcome } = await runToEnd();
  for (const { path, size, bytes } of written)
    report({ file: path, size, base64: bytes && Buffer.from(bytes).toString("base64") });
  end(outcome);
}

/** Every program begins in an unused isolate. */
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

let received = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  received = Buffer.concat([received, chunk]);
  if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
  const message = JSON.parse(received.subarray(4).toString());
  received = Buffer.alloc(0);
  void (message.again ? renew() : run(message));
});
process.stdin.on("end", () => process.exit(0));
report({ ready: true, readyMade: python.isReadyMade });
