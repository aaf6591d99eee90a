import { z } from "zod";
import { fetchGist } from "#app/gists/read-gists.server.ts";
import { exceedsJsonLimits } from "#app/web/door/json-limits.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { GIST_URL_MAX, type Gist } from "#domain/files/gist.ts";
import { parseGists } from "#domain/files/gist-schema.ts";
import { Refusal } from "#domain/refusal.ts";

/** An empty file input is sent as an empty text or an empty file. */
const chosenFile = z.preprocess(
  (file) => (file instanceof File && file.size > 0 ? file : undefined),
  z.instanceof(File).optional(),
);

export const gistForm = z.object({
  url: z.string().trim().default(""),
  gist: z.string().default(""),
  file: chosenFile,
});

export async function readGists(
  services: WebServices,
  signedIn: SignedIn,
  { url, gist, file }: z.output<typeof gistForm>,
): Promise<Gist[] | Refusal> {
  if (url.length > GIST_URL_MAX) return Refusal("invalid_gist_url");
  if (url !== "") return fetchGist(services, signedIn, url);
  const bytes = file ? await file.bytes() : new TextEncoder().encode(gist);
  if (bytes.length === 0 || exceedsJsonLimits(bytes)) return Refusal("invalid_gist");
  try {
    return parseGists(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return Refusal("invalid_gist");
  }
}
