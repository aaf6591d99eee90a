import { z } from "zod";

export const restoreForm = z.object({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be the number of a version")
    .transform(Number),
});
