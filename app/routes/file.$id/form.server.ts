import { z } from "zod";
import { runForm } from "./run-form.server.ts";

/** What the page of a file can be asked: to run it, to forget its runs, to explain it. */
const explainForm = z.object({ intent: z.literal("explain"), question: z.string().default("") });
export const fileForm = z.union([explainForm, runForm]);
export type ExplainForm = z.output<typeof explainForm>;
