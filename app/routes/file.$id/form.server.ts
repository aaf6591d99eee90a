import { z } from "zod";
import { runForm } from "#app/code-runs/run-form.server.ts";
import { explainRequest } from "#domain/code-runs/explain-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

/** The forms on the page of a file: run it, delete its results, explain it, and report that a prefetched page is shown. */
const explainForm = z.object({ intent: z.literal("explain"), question: z.string().default("") });
const openedForm = z.object({ intent: z.literal("opened") });
export const fileForm = z.union([openedForm, explainForm, runForm]);
export type ExplainForm = z.output<typeof explainForm>;

export const toExplainRequest = ({ question }: ExplainForm, code: string, language: string) =>
  checkBySchema(explainRequest, { code, language, question });
