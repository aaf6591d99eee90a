import { z } from "zod";

export const repoUrlForm = z.object({ url: z.string().default(""), token: z.string().trim().default("") });
