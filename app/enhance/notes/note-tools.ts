// Shared by the code of a file and by boards: the card for a new note and its styles, brought from the page with the form for one.
import { fetchPart, loadStyles } from "#app/enhance/page-part.ts";

let brought: Promise<HTMLElement | null> | null = null;

/** The parts, with their styles loaded. Null where loading fails; the next call tries again. */
export function bringNoteTools(form: string): Promise<HTMLElement | null> {
  brought ??= bring(form).then((tools) => {
    if (!tools) brought = null;
    return tools;
  });
  return brought;
}

async function bring(form: string): Promise<HTMLElement | null> {
  const template = await fetchPart(form, "template[data-note-tools]");
  if (!(template instanceof HTMLTemplateElement)) return null;
  const tools = document.createElement("div");
  tools.append(document.importNode(template.content, true));
  await loadStyles(tools);
  return tools;
}
