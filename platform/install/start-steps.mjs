/**
 * What a start says: one line for each step that has ended, with its time. On a terminal the steps at work stand in a
 * last line that moves; elsewhere nothing is said before a step has ended. Plain JavaScript without dependencies, because
 * the first steps run on whatever Node the machine has.
 */
const FRAME_MS = 120;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const NAME_WIDTH = 26;
const CLEAR_LINE = "\r\u001b[2K";

/** Whether this start should show everything that its programs print. */
export const isVerbose = (words) => words.includes("--verbose");

export function openSteps(output = process.stdout) {
  const atWork = new Map();
  let timer;
  let frame = 0;

  function draw() {
    const longest = performance.now() - Math.min(...atWork.values());
    frame = (frame + 1) % FRAMES.length;
    output.write(
      `${CLEAR_LINE}${FRAMES[frame]} ${[...atWork.keys()].join(", ")} … ${formatSeconds(longest)}`,
    );
  }

  function watch() {
    if (!output.isTTY) return;
    if (atWork.size > 0) timer ??= setInterval(draw, FRAME_MS);
    else {
      clearInterval(timer);
      timer = undefined;
      output.write(CLEAR_LINE);
    }
  }

  /** A whole line, above the moving one. */
  function say(line) {
    output.write(`${output.isTTY ? CLEAR_LINE : ""}${line}\n`);
  }

  /** Does the work of a step; `done` is what its line says, or a function that makes it of the result (null: no line). */
  async function run(name, work, done = name) {
    const start = performance.now();
    atWork.set(name, start);
    watch();
    try {
      const result = await work();
      const line = typeof done === "function" ? done(result) : done;
      if (line) say(`✓ ${line.padEnd(NAME_WIDTH)} ${formatSeconds(performance.now() - start)}`);
      return result;
    } finally {
      atWork.delete(name);
      watch();
    }
  }

  /** Ends the moving line, whatever is still at work. */
  function close() {
    atWork.clear();
    watch();
  }

  return { run, say, close };
}

function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
