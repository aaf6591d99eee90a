import { z } from "zod";

/** The destination of a file at the code host, and the message of its commit. */
export const uploadForm = z.object({
  /** `check` only looks at the destination. */
  intent: z.string().default("send"),
  repo_name: z.string(),
  path: z.string().trim(),
  branch: z.string().trim().default(""),
  message: z.string().default(""),
});
