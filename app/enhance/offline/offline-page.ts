// Without it the page only explains offline reading; with it, it lists the pages that this browser stores.

import { formatMoment } from "#app/enhance/offline/offline.ts";
import { submitQueuedForm } from "#app/enhance/offline/outbox.ts";
import { listQueuedForms, removeUnlessRefilled, type StoredForm } from "#app/enhance/offline/outbox-store.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { required } from "#domain/required.ts";

const PAGES = "pages:";
const OWN_PATH = "/offline";

export function enhanceOfflinePage(): void {
  const page = document.querySelector<HTMLElement>("[data-offline-page]");
  const { reader } = document.body.dataset;
  if (!page || !reader || !("caches" in window)) return;
  const update = async () => {
    requireElement(page, "[data-without]").hidden = true;
    fill(page, "[data-pages]", await createPageRows(page, reader));
    fill(page, "[data-queued-forms]", await createFormRows(page, reader, update));
  };
  document.addEventListener("outbox:changed", update);
  void update();
  // If this page replaces one that is not stored, it says so.
  const notice = page.querySelector<HTMLElement>("[data-asked]");
  if (notice && location.pathname !== OWN_PATH) notice.hidden = false;
}

function fill(page: HTMLElement, selector: string, rows: Element[]): void {
  const section = requireElement(page, selector);
  requireElement(section, "ul").replaceChildren(...rows);
  section.hidden = false;
  requireElement(section, "[data-none]").hidden = rows.length > 0;
}

async function createPageRows(page: HTMLElement, reader: string): Promise<Element[]> {
  const name = PAGES + reader;
  if (!(await caches.has(name))) return [];
  const pages = await caches.open(name);
  const rows = [];
  for (const request of (await pages.keys()).toReversed()) {
    const { pathname, search } = new URL(request.url);
    const stored = await pages.match(request);
    if (!stored || pathname === OWN_PATH) continue;
    const row = cloneRow(page, "[data-page-row]");
    const link = requireElement<HTMLAnchorElement>(row, "a");
    link.href = pathname + search;
    // Every title ends in the name of the product.
    link.textContent = decodeURIComponent(stored.headers.get("X-Kept-Title") ?? "").replace(/ · [^·]*$/, "");
    requireElement(row, "[data-kind]").textContent = describeKind(request.url, readKindWords(page));
    showTime(row, stored.headers.get("X-Kept-At") ?? "");
    rows.push(row);
  }
  return rows;
}

type KindWords = Record<string, string>;

function readKindWords(page: HTMLElement): KindWords {
  return JSON.parse(requireElement(page, "[data-page-row]").dataset.kinds ?? "{}");
}

/** Distinguishes pages with the same title: the view, the version, or the search. */
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

async function createFormRows(page: HTMLElement, reader: string, update: () => void): Promise<Element[]> {
  return (await listQueuedForms(reader)).map((storedForm) => {
    const row = cloneRow(page, "[data-queued-form-row]");
    requireElement(row, "bdi").textContent = describeForm(storedForm);
    showTime(row, storedForm.form.at);
    requireElement(row, "[data-refused]").hidden = storedForm.form.refused === null;
    requireElement(row, "[data-open]").addEventListener("click", () => void submitQueuedForm(storedForm));
    requireElement(row, "[data-drop]").addEventListener(
      "click",
      () => void removeUnlessRefilled(storedForm).then(update),
    );
    return row;
  });
}

const NAMING = ["file_name", "name", "title", "content", "text"];
const NAME_MAX = 60;

/** Names a form by its name field, otherwise by its first words, otherwise by its first file. */
function describeForm({ form }: StoredForm): string {
  const texts = new Map(form.fields.filter((field) => typeof field[1] === "string"));
  const nameText = NAMING.map((name) => texts.get(name)).find(
    (text) => typeof text === "string" && text.trim(),
  );
  const file = form.fields.map(([, value]) => value).find((value) => value instanceof File);
  return String(nameText ?? file?.name ?? form.path)
    .trim()
    .slice(0, NAME_MAX);
}

function cloneRow(page: HTMLElement, selector: string): Element {
  const template = requireElement<HTMLTemplateElement>(page, selector);
  return required(document.importNode(template.content, true).firstElementChild, "row in its template");
}

function showTime(row: Element, iso: string): void {
  const time = requireElement<HTMLTimeElement>(row, "time");
  time.dateTime = iso;
  time.textContent = formatMoment(iso, document.body.dataset.timeZone);
}
