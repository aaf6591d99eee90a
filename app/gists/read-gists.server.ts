import type { SignedIn, WebServices } from "#app/http/request-context.ts";
import { type Gist, parseGistUrl } from "#domain/files/gist.ts";
import { parseGists } from "#domain/files/gist-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type GistServices = Pick<WebServices, "codehost" | "env">;

/**
 * The gist at an address of the configured code host, read from its API and from nowhere else. Only people ask, never scripts that
 * hold a token of theirs. The installation's own token reaches whatever its operators may, so it goes with their questions alone;
 * everybody else sees what the host shows to everyone.
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
