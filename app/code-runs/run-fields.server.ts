import { splitArguments } from "#domain/code-runs/run-arguments.ts";

type RunFields = { timeout: string; stdin: string; args: string };

export function readRunFields({ timeout, stdin, args }: RunFields) {
  return {
    timeout: timeout.trim() === "" ? undefined : Number(timeout),
    stdin,
    args: splitArguments(args),
  };
}
