/**
 * Runs one JavaScript or TypeScript program in an isolate of its own. The isolate gets values only, no function or object of
 * this process. Timers are kept inside it; this process waits for them and asks it to run the next one.
 */
import { readFileSync } from "node:fs";
import { createModules, isModuleError } from "./modules.mjs";

const GUEST_FILES = ["text-encoding.js", "inspect.js", "structured-clone.js", "require.js", "javascript.js"];
const OWN_HEAP_MB = 8;
const MB = 1024 * 1024;
const ERROR_MAX_CHARACTERS = 8_000;
/** What isolated-vm says where a program reached its time. */
const TIMED_OUT = "Script execution timed out.";
const TIMER_SLACK_MS = 20;

const guest = (name) => readFileSync(new URL(`./guest/${name}`, import.meta.url), "utf8");

/** How the program ended, as the parent is told it. */
export async function runJavaScript({ ivm, order, output, outputMaxBytes, onFatal }) {
  const { memoryBytes, timeoutMs } = order;
  const until = performance.now() + timeoutMs;
  const isolate = new ivm.Isolate({
    memoryLimit: Math.ceil(memoryBytes / MB) + OWN_HEAP_MB,
    onCatastrophicError: onFatal,
  });
  const context = isolate.createContextSync();
  const program = prepare({ ivm, isolate, context, order, output, outputMaxBytes });
  try {
    const before = heldBytes(isolate);
    const outcome = await runToEnd({ isolate, context, program, order, output, until });
    return { ...outcome, grownBytes: Math.max(0, heldBytes(isolate) - before) };
  } catch (error) {
    if (isTimeout(error, until)) return { timedOut: true };
    if (isolate.isDisposed) return { refusedGrowth: true };
    output.append(1, `Uncaught ${describe(error)}\n`);
    return { exit: 1 };
  } finally {
    if (!isolate.isDisposed) isolate.dispose();
  }
}

/** A program can throw an error of these words, too, while it has time left. */
const isTimeout = (error, until) =>
  error?.message === TIMED_OUT && performance.now() > until - TIMER_SLACK_MS;

const heldBytes = (isolate) => {
  const { used_heap_size, externally_allocated_size } = isolate.getHeapStatisticsSync();
  return used_heap_size + externally_allocated_size;
};

function prepare({ ivm, isolate, context, order, output, outputMaxBytes }) {
  for (const name of GUEST_FILES)
    isolate.compileScriptSync(guest(name), { filename: `file:///${name}` }).runSync(context);
  const copied = (value) => new ivm.ExternalCopy(value).copyInto({ release: true });
  const { args, stdin, folder } = order;
  const prepared = context.evalClosureSync(
    "defineTextEncoding(); return prepareProgram({ output: $0, ...$1 })",
    [copied(output.buffer), copied({ outputMaxBytes, args, stdin, name: folder.name })],
    { result: { reference: true } },
  );
  const get = (name) => prepared.getSync(name, { reference: true });
  return { step: get("step"), exitCode: get("exitCode"), hasLeft: get("hasLeft"), define: get("define") };
}

async function runToEnd({ isolate, context, program, order, output, until }) {
  const left = () => Math.max(1, Math.ceil(until - performance.now()));
  const { name, files } = order.folder;
  const modules = createModules({
    isolate,
    context,
    define: program.define,
    program: { name, text: order.program, isTyped: order.language === "typescript" },
    files,
  });
  const settled = async (run) => {
    try {
      return await run();
    } catch (error) {
      if (isolate.isDisposed || isTimeout(error, until)) throw error;
      // Whatever is thrown on the way out, the program has left.
      if (program.hasLeft.applySync()) return null;
      throw modules.withOwnLines(error);
    }
  };
  await settled(() => evaluate({ isolate, context, modules, name, left }));
  for (;;) {
    const wait = await settled(() => program.step.apply(undefined, [], { timeout: left() }));
    if (typeof wait !== "number") break;
    if (wait > left()) {
      const [waits, limit] = [wait, order.timeoutMs].map((ms) => (Math.round(ms) / 1000).toString());
      output.append(1, `Stopped: a timer waits for ${waits} s more, beyond the limit of ${limit} s.\n`);
      return { timedOut: true };
    }
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { exit: program.exitCode.applySync(undefined, [], { timeout: left() }) };
}

/** As Node decides it: a script, unless it uses what only modules have. */
async function evaluate({ isolate, context, modules, name, left }) {
  const code = modules.prepareScript();
  const script = await isolate.compileScript(code, { filename: name }).catch((error) => {
    if (!isModuleError(error)) throw error;
    return null;
  });
  if (script) await script.run(context, { timeout: left() });
  else await modules.linkProgram().evaluate({ timeout: left() });
}

function describe(error) {
  if (typeof error !== "object" || error === null) return String(error).slice(0, ERROR_MAX_CHARACTERS);
  const { name, message, stack } = error;
  if (/not an instance of `Error`/.test(message)) return "value that is not an Error";
  const lines = String(stack ?? `${name}: ${message}`).split("\n");
  const end = lines.findIndex((line) => line.includes("isolated-vm boundary"));
  const own = lines.slice(0, end < 0 ? undefined : end).filter((line) => !/file:\/\/\//.test(line));
  return own.join("\n").slice(0, ERROR_MAX_CHARACTERS);
}
