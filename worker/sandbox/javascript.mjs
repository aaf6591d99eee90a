/**
 * Runs one JavaScript or TypeScript program in an isolate of its own. The isolate gets values only, no function or object of
 * this process. Timers are kept inside it; this process waits for them and asks it to run the next one.
 */
import { readFileSync } from "node:fs";
import { stripTypes } from "./typescript.mjs";

const GUEST_FILES = ["text-encoding.js", "inspect.js", "structured-clone.js", "javascript.js"];
const OWN_HEAP_MB = 8;
const MB = 1024 * 1024;
const ERROR_MAX_CHARACTERS = 8_000;
/** What V8 says of a script that has to be a module. */
const IS_MODULE =
  /Cannot use import statement|Unexpected token 'export'|Cannot use 'import\.meta'|await is only valid/;

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
    const outcome = await runToEnd({ isolate, context, program, order, until });
    return { ...outcome, grownBytes: Math.max(0, heldBytes(isolate) - before) };
  } catch (error) {
    return toOutcome(error, output);
  } finally {
    if (!isolate.isDisposed) isolate.dispose();
  }
}

const heldBytes = (isolate) => {
  const { used_heap_size, externally_allocated_size } = isolate.getHeapStatisticsSync();
  return used_heap_size + externally_allocated_size;
};

function prepare({ ivm, isolate, context, order, output, outputMaxBytes }) {
  for (const name of GUEST_FILES)
    isolate.compileScriptSync(guest(name), { filename: `file:///${name}` }).runSync(context);
  const copied = (value) => new ivm.ExternalCopy(value).copyInto({ release: true });
  const { args, stdin } = order;
  const prepared = context.evalClosureSync(
    "defineTextEncoding(); return prepareProgram({ output: $0, ...$1 })",
    [copied(output.buffer), copied({ outputMaxBytes, args, stdin })],
    { result: { reference: true } },
  );
  const get = (name) => prepared.getSync(name, { reference: true });
  return { step: get("step"), exitCode: get("exitCode"), hasLeft: get("hasLeft") };
}

async function runToEnd({ isolate, context, program, order, until }) {
  const left = () => Math.max(1, Math.ceil(until - performance.now()));
  const typed =
    order.language === "typescript" ? stripTypes(order.program) : { code: order.program, line: null };
  const settled = async (run) => {
    try {
      return await run();
    } catch (error) {
      // Whatever is thrown on the way out, the program has left.
      if (!isolate.isDisposed && program.hasLeft.applySync()) return null;
      throw withOwnLines(error, typed.line);
    }
  };
  const code = typed.code.replace(/^\ufeff/, "");
  await settled(() => evaluate(isolate, context, code, left));
  for (;;) {
    const wait = await settled(() => program.step.apply(undefined, [], { timeout: left() }));
    if (typeof wait !== "number") break;
    if (wait > left()) return { timedOut: true };
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { exit: program.exitCode.applySync(undefined, [], { timeout: left() }) };
}

/** As Node decides it: a script, unless it uses what only modules have. */
async function evaluate(isolate, context, code, left) {
  const filename = "main.js";
  try {
    const script = await isolate.compileScript(code, { filename });
    await script.run(context, { timeout: left() });
  } catch (error) {
    if (error.name !== "SyntaxError" || !IS_MODULE.test(error.message)) throw error;
    const module = await isolate.compileModule(code, { filename });
    await module.instantiate(context, (name) => {
      throw new Error(`Cannot load '${name}': programs have the language itself here, no modules`);
    });
    await module.evaluate({ timeout: left() });
  }
}

/** The lines of TypeScript's own text, where its types were not merely left blank. */
function withOwnLines(error, line) {
  if (line && typeof error.stack === "string")
    error.stack = error.stack.replace(/main\.js:(\d+)/g, (_, number) => `main.js:${line(Number(number))}`);
  return error;
}

function toOutcome(error, output) {
  const message = String(error?.message);
  if (/timed out/.test(message)) return { timedOut: true };
  if (/memory limit/.test(message)) return { refusedGrowth: true };
  output.append(1, `Uncaught ${describe(error)}\n`);
  return { exit: 1 };
}

function describe({ name, message, stack }) {
  if (/not an instance of `Error`/.test(message)) return "value that is not an Error";
  const lines = String(stack ?? `${name}: ${message}`).split("\n");
  const end = lines.findIndex((line) => line.includes("isolated-vm boundary"));
  const own = lines.slice(0, end < 0 ? undefined : end).filter((line) => !/file:\/\/\//.test(line));
  return own.join("\n").slice(0, ERROR_MAX_CHARACTERS);
}
