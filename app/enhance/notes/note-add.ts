// Without it a note is added to the lines that `?L=4-8` marks; with it also to those that `#L4-L8` marks.
import { parseLineRange } from "#domain/text/line-range.ts";

export function enhanceAddNoteLink(): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-note-add]");
  if (!link || !document.querySelector("pre.code")) return;
  const updateLink = () => {
    const range = parseLineRange(location.hash.slice(1));
    if (!range) return;
    const address = new URL(link.href);
    address.searchParams.set("L", `${range.from}-${range.to}`);
    link.href = address.href;
  };
  window.addEventListener("hashchange", updateLink);
  updateLink();
}
