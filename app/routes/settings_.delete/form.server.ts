import { z } from "zod";

export const deleteForm = z.object({ confirmation: z.string().default("") });
