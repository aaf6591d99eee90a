import { z } from "zod";

export const passkeyForm = z.object({ credential: z.string().max(8 * 1024) });
