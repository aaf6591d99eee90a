import { z } from "zod";

export const uploadForm = z.object({
  /** `check` only looks at the destination. */
  intent: z.string().default("send"),
  repo_name: z.string(),
  path: z.string().trim(),
  branch: z.string().trim().default(""),
  message: z.string().default(""),
});
