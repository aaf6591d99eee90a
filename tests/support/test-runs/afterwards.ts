const tasks: (() => void)[] = [];

/** Runs a task after all tests of the file; a test may call it. */
export function afterwards(task: () => void): void {
  tasks.push(task);
}

export function doTasks(): void {
  for (const task of tasks.splice(0)) task();
}
