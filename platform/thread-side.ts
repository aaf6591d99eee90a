import { parentPort } from "node:worker_threads";
import type { ThreadWord } from "#platform/thread.ts";

/** The other side of `createThread`, for the module that runs on the thread. What it throws at a task ends the thread. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort!;
  const say = (word: ThreadWord) => port.postMessage(word);
  port.on("message", async (task: Task) => {
    try {
      say({ answer: await answer(task) });
    } catch {
      say("failed");
    }
  });
  say("ready");
}
