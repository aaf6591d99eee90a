import { z } from "zod";
import { agentTool } from "#app/agents/tool.server.ts";
import { runForPerson } from "#app/code-runs/code.server.ts";
import { findPremiumRefusal } from "#app/web/session/premium.server.ts";
import { CODE_LIMITS, RUNNABLE_LANGUAGES } from "#domain/code-runs/code-run.ts";
import { codeRunRequest } from "#domain/code-runs/code-run-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

/** Runs programs with the same rights, limits and queue as the page. */
export const codeTools = [
  agentTool({
    name: "run_code",
    title: "Run code",
    description:
      "Runs a Python, JavaScript or TypeScript program in the sandbox and returns what it printed, its exit code and the files it wrote. Give code, or file_id for a file of the library with the files of its folder beside it. There is no network, and no packages.",
    scope: "write",
    input: z.strictObject({
      code: z.string().optional().describe("The program"),
      language: z.enum(RUNNABLE_LANGUAGES).optional().describe("What code is written in; python by default"),
      file_id: z.string().max(100).optional().describe("A file of the library to run instead"),
      version: z.int().min(1).optional().describe("Of the file; by default the newest"),
      stdin: z.string().optional().describe("What the program reads from its standard input"),
      args: z.array(z.string()).max(CODE_LIMITS.max_args).optional().describe("Its command-line arguments"),
      timeout: z.number().optional().describe(`Seconds, at most ${CODE_LIMITS.max_timeout_seconds}`),
    }),
    answer: async ({ services, signedIn, signal, input }) =>
      findPremiumRefusal(signedIn) ??
      runForPerson(services, { userId: signedIn.user.id, signal }, checkBySchema(codeRunRequest, input)),
    tells: () => null,
  }),
];
