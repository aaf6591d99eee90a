import { z } from "zod";
import { cookieHeader } from "#app/http/cookies.ts";
import { seal, unseal } from "#app/http/sealed.ts";

/** What is said once, on the next page. It names the words and their parts; the page puts them into its language. */
const flash = z.discriminatedUnion("say", [
  z.object({ say: z.literal("logged_in") }),
  z.object({ say: z.literal("logged_out") }),
  z.object({ say: z.literal("logged_out_everywhere") }),
  z.object({ say: z.literal("file_saved"), name: z.string(), version: z.number() }),
  z.object({ say: z.literal("files_saved"), count: z.number() }),
  z.object({ say: z.literal("job_queued"), job_id: z.string() }),
]);

export type Flash = z.output<typeof flash>;

export const FLASH_COOKIE = "flash";
const PURPOSE = "flash";
const LIFETIME_SECONDS = 60;

export function flashCookie(message: Flash, secure: boolean, secret: string): string {
  const text = Buffer.from(JSON.stringify(message)).toString("base64url");
  return cookieHeader(FLASH_COOKIE, seal(secret, PURPOSE, text), { maxAgeSeconds: LIFETIME_SECONDS, secure });
}

export function clearedFlashCookie(secure: boolean): string {
  return cookieHeader(FLASH_COOKIE, "", { maxAgeSeconds: 0, secure });
}

export function readFlash(cookie: string | undefined, secret: string): Flash | null {
  const text = unseal(secret, PURPOSE, cookie ?? "");
  if (text === null) return null;
  return flash.safeParse(JSON.parse(Buffer.from(text, "base64url").toString())).data ?? null;
}
