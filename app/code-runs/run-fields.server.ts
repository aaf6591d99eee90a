import { splitArguments } from "#domain/code-runs/run-arguments.ts";

type RunFields = { timeout: string; stdin: string; args: string };

/** What a form asks for a run, as a request says it. */
export function readRunFields({ timeout, stdin, args }: RunFields) {
  return {
    timeout: timeout.trim() === "" ? undefined : Number(timeout),
    stdin,
    args: splitArguments(args),
  };
}
