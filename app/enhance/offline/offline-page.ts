// Without it the page of offline reading says what that is; with it, it lists what this browser keeps.

import { moment } from "#app/enhance/offline/offline.ts";
import { openQueuedForm } from "#app/enhance/offline/outbox.ts";
import { listQueuedForms, removeQueuedForm, type StoredForm } from "#app/enhance/offline/outbox-store.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { required } from "#domain/required.ts";

const PAGES = "pages:";
const OWN_PATH = "/offline";

export function enhanceOfflinePage(): void {
  const page = document.querySelector<HTMLElement>("[data-offline-page]");
  const { reader } = document.body.dataset;
  if (!page || !reader || !("caches" in window)) return;
  const look = async () => {
    requireElement(page, "[data-without]").hidden = true;
    fill(page, "[data-pages]", await pageRows(page, reader));
    fill(page, "[data-queued-forms]", await queuedFormRows(page, reader, look));
  };
  document.addEventListener("outbox:changed", look);
  void look();
  // Where this page replaces one that is not stored, it says which one.
  const notice = page.querySelector<HTMLElement>("[data-asked]");
  if (notice && location.pathname !== OWN_PATH) notice.hidden = false;
}

function fill(page: HTMLElement, selector: string, rows: Element[]): void {
  const section = requireElement(page, selector);
  requireElement(section, "ul").replaceChildren(...rows);
  section.hidden = false;
  requireElement(section, "[data-none]").hidden = rows.length > 0;
}

async function pageRows(page: HTMLElement, reader: string): Promise<Element[]> {
  const name = PAGES + reader;
  if (!(await caches.has(name))) return [];
  const pages = await caches.open(name);
  const rows = [];
  for (const request of (await pages.keys()).toReversed()) {
    const { pathname, search } = new URL(request.url);
    const kept = await pages.match(request);
    if (!kept || pathname === OWN_PATH) continue;
    const row = cloneRow(page, "[data-page-row]");
    const link = requireElement<HTMLAnchorElement>(row, "a");
    link.href = pathname + search;
    // The name of the product stands at the end of every title.
    link.textContent = decodeURIComponent(kept.headers.get("X-Kept-Title") ?? "").replace(/ · [^·]*$/, "");
    requireElement(row, "[data-kind]").textContent = describeKind(request.url, kindWords(page));
    tell(row, kept.headers.get("X-Kept-At") ?? "");
    rows.push(row);
  }
  return rows;
}

type KindWords = Record<string, string>;

function kindWords(page: HTMLElement): KindWords {
  return JSON.parse(requireElement(page, "[data-page-row]").dataset.kinds ?? "{}");
}

/** What tells pages of one title apart: which view of a thing it is, which version, which lines or what was looked for. */
function describeKind(url: string, words: KindWords): string {
  const { pathname, searchParams } = new URL(url);
  const version = searchParams.get("v");
  return [
    words[pathname.split("/")[1] ?? ""],
    version && `${words.v} ${version}`,
    searchParams.get("q") && `“${searchParams.get("q")}”`,
    searchParams.has("view") && words.md,
  ]
    .filter(Boolean)
    .join(" · ");
}

async function queuedFormRows(page: HTMLElement, reader: string, look: () => void): Promise<Element[]> {
  return (await listQueuedForms(reader)).map((kept) => {
    const row = cloneRow(page, "[data-queued-form-row]");
    requireElement(row, "bdi").textContent = describeForm(kept);
    tell(row, kept.form.at);
    requireElement(row, "[data-refused]").hidden = kept.form.refused === null;
    requireElement(row, "[data-open]").addEventListener("click", () => void openQueuedForm(kept));
    requireElement(row, "[data-drop]").addEventListener(
      "click",
      () => void removeQueuedForm(kept).then(look),
    );
    return row;
  });
}

const NAMING = ["file_name", "name", "title", "content", "text"];
const NAME_MAX = 60;

/** By the name it gives itself, else by its first words, else by the first file that was chosen. */
function describeForm({ form }: StoredForm): string {
  const texts = new Map(form.fields.filter((field) => typeof field[1] === "string"));
  const named = NAMING.map((name) => texts.get(name)).find((text) => typeof text === "string" && text.trim());
  const file = form.fields.map(([, value]) => value).find((value) => value instanceof File);
  return String(named ?? file?.name ?? form.path)
    .trim()
    .slice(0, NAME_MAX);
}

function cloneRow(page: HTMLElement, selector: string): Element {
  const template = requireElement<HTMLTemplateElement>(page, selector);
  return required(document.importNode(template.content, true).firstElementChild, "row in its template");
}

function tell(row: Element, at: string): void {
  const time = requireElement<HTMLTimeElement>(row, "time");
  time.dateTime = at;
  time.textContent = moment(at, document.body.dataset.timeZone);
}
