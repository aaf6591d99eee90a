import { redirect } from "@remix-run/node";
import { LINE_FIELD } from "#app/files/code/outlined-code.tsx";
import { SEE_OTHER } from "#app/web/answers/replies.server.ts";
import { parseLineRange } from "#domain/text/line-range.ts";

type NumberedFile = { id: string; lines: number };

/** Redirects a typed line number to the address of that line; a number beyond the end leads to the last line. */
export function redirectToTypedLine(url: string, { id, lines }: NumberedFile): void {
  const parameters = new URL(url).searchParams;
  const typed = parameters.get(LINE_FIELD);
  if (typed === null) return;
  parameters.delete(LINE_FIELD);
  const range = parseLineRange(typed.trim());
  const line = range && Math.max(1, Math.min(range.from, lines));
  if (line !== null) parameters.set("L", `${line}`);
  throw redirect(`/file/${id}?${parameters}${line === null ? "" : `#L${line}`}`, SEE_OTHER);
}
