import { Worker } from "node:worker_threads";

/**
 * A thread that answers one task at a time, each within a deadline. A task that takes longer, or that its module throws at,
 * costs the thread and not the process: the next task gets a new one. It keeps no process alive.
 */
export type Thread<Task, Answer> = {
  ask(task: Task): Promise<Answer | Unanswered>;
  close(): Promise<void>;
};

/** Why there is no answer: past the deadline, the thread broke, or too many were waiting already. */
export type Unanswered = "late" | "failed" | "busy";

export type ThreadOptions = { module: URL; deadlineMs: number; maxWaiting: number; memoryMb: number };

/** What a thread's module says: once that it is ready, then how each task went. */
export type ThreadWord = "ready" | "failed" | { answer: unknown };

const START_DEADLINE_MS = 30_000;

export function createThread<Task, Answer>(options: ThreadOptions): Thread<Task, Answer> {
  let thread: Promise<Worker | null> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function run(task: Task): Promise<Answer | Unanswered> {
    thread ??= openThread(options);
    const worker = await thread;
    const word = worker ? await answerOf(worker, task, options.deadlineMs) : "failed";
    if (typeof word === "object") return word.answer as Answer;
    // The next task waits until the old thread is gone; whoever sent this one need not.
    thread = worker?.terminate().then(() => openThread(options));
    return word === "late" ? "late" : "failed";
  }

  return {
    ask(task) {
      if (waiting >= options.maxWaiting) return Promise.resolve("busy");
      waiting += 1;
      const turn = last.then(() => run(task)).finally(() => (waiting -= 1));
      last = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await (await thread)?.terminate();
      thread = undefined;
    },
  };
}

/** Ready for its first task; null where it could not be started. */
async function openThread({ module, memoryMb }: ThreadOptions): Promise<Worker | null> {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stderr: false,
  });
  worker.unref();
  if ((await nextWord(worker, START_DEADLINE_MS)) === "ready") return worker;
  await worker.terminate();
  return null;
}

function answerOf(worker: Worker, task: unknown, deadlineMs: number): Promise<ThreadWord | "late"> {
  const word = nextWord(worker, deadlineMs);
  worker.postMessage(task);
  return word;
}

function nextWord(worker: Worker, deadlineMs: number): Promise<ThreadWord | "late"> {
  return new Promise((resolve) => {
    const settle = (word: ThreadWord | "late") => {
      clearTimeout(timer);
      worker.off("message", settle).off("error", ended).off("exit", ended);
      resolve(word);
    };
    const ended = () => settle("failed");
    const timer = setTimeout(settle, deadlineMs, "late");
    worker.on("message", settle).on("error", ended).on("exit", ended);
  });
}
