import { z } from "zod";

/** Where a file is sent to, and what its commit says. */
export const uploadForm = z.object({
  /** Only looks, where it is `check`. */
  intent: z.string().default("send"),
  repo_name: z.string(),
  path: z.string().trim(),
  branch: z.string().trim().default(""),
  message: z.string().default(""),
});
