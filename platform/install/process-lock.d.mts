export type ProcessIdentity = { pid: number; start: string };
export function processStart(pid: number): string | null;
export function isAlive(process: ProcessIdentity): boolean;
export function takeLock(
  path: string,
): { release(): void; owner?: undefined } | { owner: ProcessIdentity; release?: undefined };
