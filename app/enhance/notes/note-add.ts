// Without it a note is added to the lines that `?L=4-8` marks; with it also to those marked by `#L4-L8`.
import { parseLineRange } from "#domain/text/line-range.ts";

export function enhanceNoteAdd(): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-note-add]");
  if (!link || !document.querySelector("pre.code")) return;
  const follow = () => {
    const range = parseLineRange(location.hash.slice(1));
    if (!range) return;
    const address = new URL(link.href);
    address.searchParams.set("L", `${range.from}-${range.to}`);
    link.href = address.href;
  };
  window.addEventListener("hashchange", follow);
  follow();
}
