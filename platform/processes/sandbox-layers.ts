/** What the operating system adds around a program that a worker runs, where the machine allows it. */
export const SANDBOX_LAYERS = [
  "limits",
  "user",
  "network",
  "privileges",
  "processes",
  "files",
  "syscalls",
] as const;
export type SandboxLayer = (typeof SANDBOX_LAYERS)[number];

/** Where one of these is missing, no program runs unless the operator accepts it. The others may be missing where they are not required. */
export const BASIC_LAYERS: readonly SandboxLayer[] = ["limits", "user", "network"];
