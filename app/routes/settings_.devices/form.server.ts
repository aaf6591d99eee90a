import { z } from "zod";

export const devicesForm = z.object({
  intent: z.enum(["remove", "remove_all", "cleanup", "test_worker", "test_local"]),
  endpoint_hash: z.string().max(64).default(""),
});
