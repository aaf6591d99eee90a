import { fstatSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { temporaryFiles } from "./local-files.ts";
import { EXIT, Failure, failure } from "./output.ts";

/** Reads typed or piped text without showing it. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readText(process.stdin)).split("\n")[0]?.trim() ?? "";
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(prompt);
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", (line) => resolve(line.trim()));
      lines.once("close", () => resolve(""));
      lines.once("SIGINT", () => reject(new Failure(EXIT.interrupted, "interrupted", "Interrupted.")));
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

export async function readInput(maxBytes: number, refusal: string) {
  const chunks = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw failure("input_too_large", refusal);
  }
  return Buffer.concat(chunks);
}

export function readStandardInputKind() {
  try {
    const kind = fstatSync(0);
    return { isFIFO: kind.isFIFO(), isFile: kind.isFile() };
  } catch {
    // It is closed.
    return { isFIFO: false, isFile: false };
  }
}

/** Replaces the end of the command on Ctrl-C. */
let interrupt: (() => void) | null = null;

export function onInterrupt(act: (() => void) | null) {
  interrupt = act;
}

/** Leaves nothing half-written behind. */
export function stopAtOnce(exitCode: number) {
  for (const file of temporaryFiles) rmSync(file, { force: true });
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  process.exit(exitCode);
}

export function listenForSignals() {
  process.on("SIGINT", () => {
    const stop = interrupt ?? (() => stopAtOnce(EXIT.interrupted));
    // A second Ctrl-C does not wait for the server.
    interrupt = null;
    stop();
  });
  process.on("SIGTERM", () => stopAtOnce(143));
  // A reader of the output may stop reading, as head does.
  process.stdout.on("error", () => stopAtOnce(EXIT.ok));
}
