import { readFields } from "#app/http/body.server.ts";
import { BODY_MAX_BYTES } from "#domain/file.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/** What was typed into a form that came after its session had ended. Files cannot be handed back. */
export type KeptForm = { texts: [name: string, text: string][]; files: number };

const FORM_AROUND_BYTES = 64 * 1024;

/**
 * The answer to such a form: its texts come back, ready to be sent again after logging in. Null where the body cannot be
 * read as a form.
 */
export async function keptForm(request: Request): Promise<Response | null> {
  const fields = await readFields(request, BODY_MAX_BYTES + FORM_AROUND_BYTES);
  if (isRefusal(fields)) return null;
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const files = pairs.filter(([, value]) => value instanceof File && value.size > 0).length;
  const refusal = Refusal("auth_required", { redirect: "/login" });
  const kept: KeptForm = { texts, files };
  return Response.json({ ...refusalBody(refusal), kept }, { status: refusalStatus(refusal) });
}
