import type { WebServices } from "#app/web/request-context.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { type Gist, parseGistUrl } from "#domain/files/gist.ts";
import { parseGists } from "#domain/files/gist-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type GistServices = Pick<WebServices, "codehost" | "env">;

/**
 * Reads the gist at an address of the configured code host, only from its API. Only people in a session may ask, not scripts with a token
 * of theirs. Administrators ask with the installation's token; anyone else sees what is public.
 */
export async function fetchGist(
  { codehost, env }: GistServices,
  { role, sessionId }: SignedIn,
  url: string,
): Promise<Gist[] | Refusal> {
  if (codehost.apiUrl === null) return Refusal("codehost_not_configured");
  const id = parseGistUrl(url, codehost.apiUrl);
  if (id === null) return Refusal("invalid_gist_url");
  if (sessionId === null)
    return Refusal("codehost_session_required", {
      message: "Log in to import by address, or send the gist itself.",
    });
  const answer = await codehost.readGist(role === "admin" ? env.codehost.token : null, id);
  return isRefusal(answer) ? answer : parseGists(answer);
}
