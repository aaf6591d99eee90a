/** The preview of a Markdown text being edited. It is fetched apart from every page's own script. */
import { findTypedLanguage, readFieldValue } from "#app/enhance/editor/typed-language.ts";
import { loadStyles } from "#app/enhance/page-part.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { createTextPreview } from "#app/enhance/text-preview.ts";

const OPEN_KEY = "markdown-preview";
const SHOW_AFTER_MS = 400;
/** As in `editor.css`: below this width the preview replaces the editor. */
const BESIDE = "(width >= 64rem)";

/** Shows the button if the text is Markdown. A preview that replaces the editor is opened by hand each time. */
export function openMarkdownPreview(
  field: HTMLElement,
  area: HTMLTextAreaElement,
  readText: () => string,
): void {
  const { form } = area;
  const button = requireElement<HTMLButtonElement>(field, "[data-preview-toggle]");
  const section = requireElement(field, "[data-markdown-preview]");
  const body = requireElement(section, "[data-markdown-body]");
  const beside = matchMedia(BESIDE);
  let isWanted = beside.matches && localStorage.getItem(OPEN_KEY) === "1";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const preview = createTextPreview(body, "[data-markdown-body]", {
    fields: () => ({ mode: "file", folder: readFieldValue(form, "folder") ?? section.dataset.folder ?? "" }),
    afterMs: 0,
    onShown: () => adaptLinksAndIds(body),
  });
  const update = () => {
    clearTimeout(timer);
    const text = readText();
    const isMarkdown = findTypedLanguage(form, text) === "markdown";
    const isOpen = isMarkdown && isWanted;
    button.hidden = !isMarkdown;
    button.setAttribute("aria-pressed", String(isOpen));
    section.hidden = !isOpen;
    if (!isOpen) return;
    void loadStyles(section);
    preview.show(text);
  };

  button.addEventListener("click", () => {
    isWanted = !isWanted;
    if (beside.matches) localStorage.setItem(OPEN_KEY, isWanted ? "1" : "");
    update();
  });
  form?.addEventListener("change", update);
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, SHOW_AFTER_MS);
  });
  update();
}

/** Links open in new tabs, so that the text stays; ids of headings could collide with names of fields. */
function adaptLinksAndIds(body: HTMLElement): void {
  for (const heading of body.querySelectorAll(":is(h1, h2, h3, h4, h5, h6)[id]"))
    heading.removeAttribute("id");
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])'))
    link.target = "_blank";
}
