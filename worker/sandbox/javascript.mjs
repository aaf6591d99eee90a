/**
 * Runs a JavaScript or TypeScript program in its own isolate. The isolate gets only values, no functions or objects of this
 * process. Timers are stored inside it; this process waits for them and calls it to run the next.
 */
import { readFileSync } from "node:fs";
import { createModules, isModuleError } from "./modules.mjs";

const GUEST_FILES = ["text-encoding.js", "inspect.js", "structured-clone.js", "require.js", "javascript.js"];
const OWN_HEAP_MB = 8;
const MB = 1024 * 1024;
const ERROR_MAX_CHARACTERS = 8_000;
/** The message of isolated-vm when a program reaches its time limit. */
const TIMED_OUT = "Script execution timed out.";
const TIMER_SLACK_MS = 20;

const readGuestFile = (name) => readFileSync(new URL(`./guest/${name}`, import.meta.url), "utf8");

/** Returns the end of the program for the parent. */
export async function runJavaScript({ ivm, order, output, outputMaxBytes, onFatal }) {
  const { memoryBytes, timeoutMs } = order;
  const deadline = performance.now() + timeoutMs;
  const isolate = new ivm.Isolate({
    memoryLimit: Math.ceil(memoryBytes / MB) + OWN_HEAP_MB,
    onCatastrophicError: onFatal,
  });
  const context = isolate.createContextSync();
  const program = prepare({ ivm, isolate, context, order, output, outputMaxBytes });
  try {
    const heldBefore = measureHeap(isolate);
    const outcome = await runToEnd({ isolate, context, program, order, output, until: deadline });
    return { ...outcome, grownBytes: Math.max(0, measureHeap(isolate) - heldBefore) };
  } catch (error) {
    if (isTimeout(error, deadline)) return { timedOut: true };
    if (isolate.isDisposed) return { refusedGrowth: true };
    output.append(1, `Uncaught ${describe(error)}\n`);
    return { exit: 1 };
  } finally {
    if (!isolate.isDisposed) isolate.dispose();
  }
}

/** A program can throw an error with this message too, but before its deadline. */
const isTimeout = (error, deadline) =>
  error?.message === TIMED_OUT && performance.now() > deadline - TIMER_SLACK_MS;

const measureHeap = (isolate) => {
  const { used_heap_size, externally_allocated_size } = isolate.getHeapStatisticsSync();
  return used_heap_size + externally_allocated_size;
};

function prepare({ ivm, isolate, context, order, output, outputMaxBytes }) {
  for (const name of GUEST_FILES)
    isolate.compileScriptSync(readGuestFile(name), { filename: `file:///${name}` }).runSync(context);
  const toCopy = (value) => new ivm.ExternalCopy(value).copyInto({ release: true });
  const { args, stdin, folder } = order;
  const guestProgram = context.evalClosureSync(
    "defineTextEncoding(); return prepareProgram({ output: $0, ...$1 })",
    [toCopy(output.buffer), toCopy({ outputMaxBytes, args, stdin, name: folder.name })],
    { result: { reference: true } },
  );
  const get = (name) => guestProgram.getSync(name, { reference: true });
  return { step: get("step"), exitCode: get("exitCode"), hasLeft: get("hasLeft"), define: get("define") };
}

async function runToEnd({ isolate, context, program, order, output, until: deadline }) {
  const getTimeLeft = () => Math.max(1, Math.ceil(deadline - performance.now()));
  const { name, files } = order.folder;
  const modules = createModules({
    isolate,
    context,
    define: program.define,
    program: { name, text: order.program, isTyped: order.language === "typescript" },
    files,
  });
  const runUnlessExited = async (run) => {
    try {
      return await run();
    } catch (error) {
      if (isolate.isDisposed || isTimeout(error, deadline)) throw error;
      // Errors after the program has exited are ignored.
      if (program.hasLeft.applySync()) return null;
      throw modules.withOwnLines(error);
    }
  };
  await runUnlessExited(() => evaluate({ isolate, context, modules, name, left: getTimeLeft }));
  for (;;) {
    const wait = await runUnlessExited(() => program.step.apply(undefined, [], { timeout: getTimeLeft() }));
    if (typeof wait !== "number") break;
    if (wait > getTimeLeft()) {
      const [waits, limit] = [wait, order.timeoutMs].map((ms) => (Math.round(ms) / 1000).toString());
      output.append(1, `Stopped: a timer waits for ${waits} s more, beyond the limit of ${limit} s.\n`);
      return { timedOut: true };
    }
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { exit: program.exitCode.applySync(undefined, [], { timeout: getTimeLeft() }) };
}

/** Decides like Node: a script, unless it uses what only modules have. */
async function evaluate({ isolate, context, modules, name, left: getTimeLeft }) {
  const code = modules.prepareScript();
  const script = await isolate.compileScript(code, { filename: name }).catch((error) => {
    if (!isModuleError(error)) throw error;
    return null;
  });
  if (script) await script.run(context, { timeout: getTimeLeft() });
  else await modules.linkProgram().evaluate({ timeout: getTimeLeft() });
}

function describe(error) {
  if (typeof error !== "object" || error === null) return String(error).slice(0, ERROR_MAX_CHARACTERS);
  const { name, message, stack } = error;
  if (/not an instance of `Error`/.test(message)) return "value that is not an Error";
  const lines = String(stack ?? `${name}: ${message}`).split("\n");
  const end = lines.findIndex((line) => line.includes("isolated-vm boundary"));
  const ownLines = lines.slice(0, end < 0 ? undefined : end).filter((line) => !/file:\/\/\//.test(line));
  return ownLines.join("\n").slice(0, ERROR_MAX_CHARACTERS);
}
