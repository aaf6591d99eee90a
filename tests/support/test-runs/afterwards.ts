const tasks: (() => void)[] = [];

/** Does something once all tests of the file are done; may be called within a test. */
export function afterwards(task: () => void): void {
  tasks.push(task);
}

export function doTasks(): void {
  for (const task of tasks.splice(0)) task();
}
