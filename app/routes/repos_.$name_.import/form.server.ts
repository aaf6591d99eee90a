import { z } from "zod";

export const importForm = z.object({ path: z.string().default("") });
