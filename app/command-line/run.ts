import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import { type Call, toNumber } from "./command.ts";
import { onInterrupt, readInput, readStandardInputKind, stopAtOnce } from "./input.ts";
import { downloadByPath, parseLibraryPath } from "./library.ts";
import { cleanName, cleanText, EXIT, failure, type Output, paint } from "./output.ts";
import { type Json, parseAnswer, type Session, send, toFailure, unexpectedAnswer } from "./requests.ts";
import { openSession } from "./session.ts";

const RUN_TIMEOUT_MS = 180_000;

// Both outputs of a program at their longest, each character written in six.
const EVENT_MAX_LENGTH = 2 * 1024 * 1024;

type RunResult = {
  exit_code: number;
  stdout: string;
  stderr: string;
  truncated: boolean;
  error: string | null;
};

export async function run({ output, words, options }: Call) {
  const session = await openSession(output);
  const [name = "", ...args] = words;
  const order = {
    ...(await readProgram(session, name)),
    args,
    stdin: await readProgramInput(options.input),
    timeout: toNumber(options.timeout, "--timeout", { most: CODE_LIMITS.max_timeout_seconds }),
    memory_limit_mb: toNumber(options.memory, "--memory", { most: CODE_LIMITS.max_memory_mb }),
  };
  output.showProgress(`Running ${name}`);
  const response = await send(session, "POST", "/api/code/run", {
    json: order,
    timeoutMs: RUN_TIMEOUT_MS,
    headers: { Accept: "text/event-stream, application/json" },
  });
  const printer = createRunPrinter(output);
  const result = await followRun(session, response, name, printer);
  output.clearProgress();
  printer.finish();
  output.printJson(result);
  if (output.json) return result.exit_code;
  if (result.truncated) output.printRemark("The output was cut: it is longer than the server keeps.");
  if (result.error) output.printRemark(paint("red", cleanName(result.error), process.stderr));
  if (options.input === undefined && process.stdin.isTTY && result.stderr.includes("EOFError"))
    output.printRemark(
      "The program asked for input. Add --input - to type it (Ctrl-D ends it), or pipe it in.",
    );
  return result.exit_code;
}

const PYTHON_ENDINGS = ["", ".py", ".pyw"];

/** The language of a program by the end of its name; without one of these it is Python. */
const PROGRAM_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript" },
  ...{ ".ts": "typescript", ".mts": "typescript" },
};

/** The text of a file here, or the id of one of the library, which runs beside the files of its folder. */
async function readProgram(session: Session, name: string) {
  const isLocal = (await stat(name).catch(() => null))?.isFile() ?? false;
  const ending = extname(name).toLowerCase();
  const language = PROGRAM_LANGUAGES[ending];
  if (isLocal && !language && !PYTHON_ENDINGS.includes(ending))
    throw failure(
      "unknown_language",
      `${cleanName(name)} cannot be run: the sandbox runs Python (.py), JavaScript (.js) and TypeScript (.ts).`,
    );
  if (isLocal)
    return { code: (await readFile(name)).toString("utf8"), file_name: toProgramName(name), language };
  const file = await downloadByPath(session, parseLibraryPath(name), "HEAD");
  if (!file)
    throw failure(
      "file_not_found",
      `There is no file “${cleanName(name)}”, neither here nor in the library.`,
    );
  return { file_id: file.id };
}

/** The name that the program sees; none if the server would refuse it. */
function toProgramName(path: string) {
  const name = basename(path);
  return name.includes("\\") || name !== cleanName(name) ? undefined : name;
}

/**
 * The program's input: a named file, or piped text. A terminal and an open connection are read only with “-”, because they may never
 * end.
 */
async function readProgramInput(inputOption: string | boolean | undefined) {
  if (typeof inputOption === "string" && inputOption !== "-")
    return (await readFile(inputOption)).toString("utf8");
  const { isFIFO, isFile } = readStandardInputKind();
  if (inputOption === undefined && !isFIFO && !isFile) return "";
  const most = `A program reads at most ${CODE_LIMITS.max_stdin_bytes / 1024} KiB of input.`;
  return (await readInput(CODE_LIMITS.max_stdin_bytes, most)).toString("utf8");
}

type RunPrinter = ReturnType<typeof createRunPrinter>;

function createRunPrinter(output: Output) {
  const unprinted = { stdout: "", stderr: "" };
  let hasPrinted = false;
  const write = (stream: "stdout" | "stderr", text: string) => {
    const to = process[stream];
    if (output.json || text === "") return;
    hasPrinted = true;
    output.clearProgress();
    to.write(to.isTTY ? cleanText(text) : text);
  };
  return {
    hasPrinted: () => hasPrinted,
    /** A sequence that steers a terminal may come in two parts: its beginning waits for the rest. */
    print(stream: unknown, text: unknown) {
      if ((stream !== "stdout" && stream !== "stderr") || typeof text !== "string") return;
      const all = unprinted[stream] + text;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour, and of a line's end
      const start = process[stream].isTTY ? all.search(/(?:\x1b(?:\[[\d;]{0,20})?|\r)$/) : -1;
      unprinted[stream] = start === -1 ? "" : all.slice(start);
      write(stream, start === -1 ? all : all.slice(0, start));
    },
    finish() {
      for (const stream of ["stdout", "stderr"] as const) write(stream, unprinted[stream]);
    },
  };
}

/** Follows a run to its result. Ctrl-C stops it on the server, and what it printed until then still comes. */
async function followRun(
  session: Session,
  response: Response,
  name: string,
  printer: RunPrinter,
): Promise<RunResult> {
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    const result = toRunResult(session, parseAnswer(session, await response.text()));
    printer.print("stdout", result.stdout);
    printer.print("stderr", result.stderr);
    return result;
  }
  try {
    for await (const { event, data } of readEvents(session, response)) {
      if (typeof data.run_id === "string") onInterrupt(() => stopRun(session, String(data.run_id)));
      if (event === "queued") session.output.showProgress(describeWaiting(data.ahead));
      if (event === "started" && !printer.hasPrinted()) session.output.showProgress(`Running ${name}`);
      if (event === "output") printer.print(data.stream, data.text);
      if (event === "refused") throw toFailure(session, response, data);
      if (event === "result") return toRunResult(session, data);
    }
  } finally {
    onInterrupt(null);
  }
  throw failure("run_interrupted", "The connection ended before the program did.");
}

const describeWaiting = (ahead: unknown) =>
  Number(ahead) > 0 ? `Waiting for a worker (${Number(ahead)} ahead)` : "Waiting for a worker";

function stopRun(session: Session, runId: string) {
  session.output.showProgress("Stopping");
  send(session, "POST", `/api/code/run/${encodeURIComponent(runId)}/stop`, { allow: [404] }).catch(() =>
    stopAtOnce(EXIT.interrupted),
  );
}

function toRunResult(session: Session, answer: Json): RunResult {
  const { exit_code, stdout, stderr } = answer ?? {};
  if (!Number.isInteger(exit_code) || typeof stdout !== "string" || typeof stderr !== "string")
    throw unexpectedAnswer(session);
  return answer;
}

async function* readEvents(session: Session, response: Response) {
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    if (text.length > EVENT_MAX_LENGTH) throw unexpectedAnswer(session);
    for (const lines of messages) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(lines) ?? [];
      if (event !== "") yield { event, data: parseAnswer(session, data) };
    }
  }
}
