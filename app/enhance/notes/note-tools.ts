// The card for a new note and its styles, for files and boards, fetched from the page with the form.
import { fetchPart, loadStyles } from "#app/enhance/page-part.ts";

let toolsLoading: Promise<HTMLElement | null> | null = null;

export function loadNoteTools(form: string): Promise<HTMLElement | null> {
  toolsLoading ??= fetchTools(form).then((tools) => {
    if (!tools) toolsLoading = null;
    return tools;
  });
  return toolsLoading;
}

async function fetchTools(form: string): Promise<HTMLElement | null> {
  const template = await fetchPart(form, "template[data-note-tools]");
  if (!(template instanceof HTMLTemplateElement)) return null;
  const tools = document.createElement("div");
  tools.append(document.importNode(template.content, true));
  await loadStyles(tools);
  return tools;
}
