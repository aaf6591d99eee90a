import { z } from "zod";

export const logoutForm = z.object({ everywhere: z.literal("1").optional() });
