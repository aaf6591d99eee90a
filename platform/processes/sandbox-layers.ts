/** Protections by the operating system around a program of a worker, if the machine allows them. */
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

/** If one of these is missing, programs run only if the operator accepts that. Other layers may be missing unless they are required. */
export const BASIC_LAYERS: readonly SandboxLayer[] = ["limits", "user", "network"];
