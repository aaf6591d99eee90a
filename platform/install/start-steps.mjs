/**
 * Prints the steps of a start: a line for each finished step with its time. On a terminal, the last line shows the running steps; elsewhere
 * only finished steps are printed. Plain JavaScript without dependencies, because the first steps run on any Node of the machine.
 */
const FRAME_MS = 120;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const NAME_WIDTH = 26;
const CLEAR_LINE = "\r\u001b[2K";

/** True if the start should show all output of its programs. */
export const isVerbose = (words) => words.includes("--verbose");

export function openSteps(output = process.stdout) {
  const runningSteps = new Map();
  let timer;
  let frame = 0;

  function draw() {
    const longest = performance.now() - Math.min(...runningSteps.values());
    frame = (frame + 1) % FRAMES.length;
    output.write(
      `${CLEAR_LINE}${FRAMES[frame]} ${[...runningSteps.keys()].join(", ")} … ${formatSeconds(longest)}`,
    );
  }

  function watch() {
    if (!output.isTTY) return;
    if (runningSteps.size > 0) timer ??= setInterval(draw, FRAME_MS);
    else {
      clearInterval(timer);
      timer = undefined;
      output.write(CLEAR_LINE);
    }
  }

  function printLine(line) {
    output.write(`${output.isTTY ? CLEAR_LINE : ""}${line}\n`);
  }

  /** Runs a step. `done` is the text of its line, or a function that returns it from the result (null: no line). */
  async function run(name, work, doneText = name) {
    const start = performance.now();
    runningSteps.set(name, start);
    watch();
    try {
      const result = await work();
      const line = typeof doneText === "function" ? doneText(result) : doneText;
      if (line) printLine(`✓ ${line.padEnd(NAME_WIDTH)} ${formatSeconds(performance.now() - start)}`);
      return result;
    } finally {
      runningSteps.delete(name);
      watch();
    }
  }

  /** Removes the status line, even if steps are still running. */
  function close() {
    runningSteps.clear();
    watch();
  }

  return { run, say: printLine, close };
}

function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
