export type StartSteps = {
  run<T>(name: string, work: () => Promise<T>, done?: string | ((result: T) => string | null)): Promise<T>;
  say(line: string): void;
  close(): void;
};
export function isVerbose(words: readonly string[]): boolean;
export function openSteps(output?: { isTTY?: boolean; write(text: string): unknown }): StartSteps;
