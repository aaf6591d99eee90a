import { fetchPart } from "#app/enhance/page-part.ts";

/**
 * Shows a part of another page over this one. The part has its own way to be closed; where it cannot be had, that page itself is
 * opened. `source`: where the part is fetched, if not from that page.
 */
export async function openSheet(path: string, selector: string, source = path): Promise<HTMLElement | null> {
  if (document.querySelector("dialog.sheet")) return null;
  const part = await fetchPart(source, selector);
  // Asked for twice while the first was on its way, it is shown once.
  if (document.querySelector("dialog.sheet")) return null;
  if (!part) {
    location.assign(path);
    return null;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "surface sheet";
  dialog.setAttribute("aria-labelledby", part.querySelector("h1, h2")?.id ?? "");
  dialog.append(part);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return part;
}
