// Without it a page only lists what a program wrote; with it each text can be saved beside the program.

import type { WrittenFile } from "#domain/code-runs/run-files.ts";

export type RunFileText = Record<"wrote" | "tooLarge" | "save" | "saved" | "unsaved", string>;
type TextToSave = { path: string; body: string; label: string };

export const fill = (words: string, values: Record<string, string | number>) =>
  words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

export function createLink(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  return link;
}

export function createFileRow(
  { path, size_bytes, text }: WrittenFile,
  folder: string,
  words: RunFileText,
): HTMLElement {
  const row = document.createElement("li");
  const name = document.createElement("code");
  name.dir = "ltr";
  name.textContent = path;
  row.append(fill(words.wrote, { bytes: size_bytes }), " ", name, " ");
  if (text === null) {
    row.append(words.tooLarge);
    return row;
  }
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button button-small", textContent: words.save });
  button.addEventListener("click", async () =>
    button.replaceWith(await saveAndCreateLink(folder, { path, body: text, label: words.saved }, words)),
  );
  row.append(button);
  return row;
}

export async function saveAndCreateLink(
  folder: string,
  { path, body, label }: TextToSave,
  { unsaved }: RunFileText,
): Promise<Node> {
  const segments = [...folder.split("/"), ...path.split("/")].filter((name) => name !== "");
  const address = `/api/files/${segments.map(encodeURIComponent).join("/")}`;
  const answer = await fetch(address, { method: "PUT", body }).catch(() => null);
  const { file_id } = answer?.ok ? await answer.json() : { file_id: null };
  return file_id ? createLink(`/file/${file_id}`, label) : document.createTextNode(unsaved);
}
