import { afterAll } from "vitest";

const tasks: (() => void)[] = [];
// Asked for once, while the file is read: within a running test it would come too late to be heard.
afterAll(() => {
  for (const task of tasks.splice(0)) task();
});

/** Does something once all tests of the file are done; may be called within a test. */
export function afterwards(task: () => void): void {
  tasks.push(task);
}
