/**
 * The form of /upload with files: shows what will be saved and what is wrong with it before anything is sent, and keeps everything on the
 * page if the server refuses.
 */
import { clearBusy, tryMarkBusy } from "#app/enhance/busy.ts";
import { focusText, readFieldText, writeFieldText } from "#app/enhance/editor/code-field.ts";
import type { DroppedFiles } from "#app/enhance/files/dropped-files-store.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { formatBytesBesideLimit } from "#app/web/ui/size-text.ts";
import { BODY_MAX_BYTES, checkFileName, decodeBody } from "#domain/files/file.ts";
import { isZipName } from "#domain/library-zip/code-zip.ts";
import { ZIP_MAX_BYTES } from "#domain/library-zip/library-import.ts";
import { isRefusal } from "#domain/refusal.ts";

const ZIP_AMONG_FILES = "zip_among_files";
const ALL_MAX_BYTES = 10 * BODY_MAX_BYTES;

type ChosenFilesText = Record<
  "unsent" | "unreadable" | "wrong" | "loggedOut" | "remove" | "otherOne" | "others",
  string
>;
type UploadElements = {
  form: HTMLFormElement;
  input: HTMLInputElement;
  list: HTMLElement;
  /** Below the list; the other save button is beside the code. */
  bar: HTMLElement;
  alert: HTMLElement;
};

type FileChooser = { add(dropped: DroppedFiles): void };

export function createFileChooser(): FileChooser | null {
  const form = document.querySelector<HTMLFormElement>("form[data-upload]");
  const input = form?.querySelector<HTMLInputElement>("input[type=file]");
  const list = form?.querySelector<HTMLElement>("[data-chosen]");
  const bar = form?.querySelector<HTMLElement>("[data-chosen-bar]");
  const alert = form?.querySelector<HTMLElement>("[data-upload-alert]");
  return form && input && list && bar && alert ? new Chosen({ form, input, list, bar, alert }) : null;
}

class Chosen implements FileChooser {
  readonly #parts: UploadElements;
  readonly #words: ChosenFilesText;
  readonly #refusals: Record<string, string>;
  readonly #faults = new Map<File, string>();

  constructor(parts: UploadElements) {
    this.#parts = parts;
    this.#words = JSON.parse(parts.form.dataset.words ?? "{}");
    this.#refusals = JSON.parse(parts.form.dataset.refusals ?? "{}");
    parts.input.addEventListener("change", () => this.#choose([...(parts.input.files ?? [])]));
    parts.form.addEventListener("submit", (event) => {
      if (this.#faults.size === 0) return;
      event.preventDefault();
      void this.#sendOnce(event.submitter);
    });
    const others = requireElement(parts.bar, "[data-chosen-others]");
    others.addEventListener("click", () => this.#sendOthers(others));
  }

  add({ files, text }: DroppedFiles): void {
    if (files.length > 0) this.#choose(files);
    const area = this.#parts.form.querySelector("textarea");
    if (text === "" || !area) return;
    const before = readFieldText(area);
    writeFieldText(area, before === "" ? text : `${before}\n${text}`);
    const name = this.#parts.form.elements.namedItem("file_name");
    if (name instanceof HTMLInputElement && name.value === "") name.focus();
    else focusText(area);
  }

  /** Adds to the files chosen before, so that none is lost. */
  #choose(files: File[]): void {
    const isNew = (file: File) => ![...this.#faults.keys()].some((other) => isSame(file, other));
    for (const file of files.filter(isNew)) {
      this.#faults.set(file, "");
      void this.#check(file);
    }
    this.#show();
  }

  async #check(file: File): Promise<void> {
    const fault = await this.#checkFile(file);
    if (fault === "" || !this.#faults.has(file)) return;
    this.#faults.set(file, fault);
    this.#show();
  }

  async #checkFile(file: File): Promise<string> {
    const name = checkFileName(file.name);
    if (isRefusal(name)) return this.#reason(name.refused);
    if (isZipName(file.name)) return file.size > ZIP_MAX_BYTES ? this.#reason("import_too_large") : "";
    if (file.size > BODY_MAX_BYTES) return this.#reason("payload_too_large");
    try {
      const body = decodeBody(new Uint8Array(await file.arrayBuffer()));
      return isRefusal(body) ? this.#reason(body.refused) : "";
    } catch {
      return this.#words.unreadable;
    }
  }

  #reason(code: string): string {
    return this.#refusals[code] ?? this.#words.unsent;
  }

  #show(): void {
    const { input, list, bar } = this.#parts;
    const files = new DataTransfer();
    for (const file of this.#faults.keys()) files.items.add(file);
    input.files = files.files;
    input.dispatchEvent(new CustomEvent("files:changed", { bubbles: true }));
    list.replaceChildren(
      ...[...this.#faults].map(([file, fault]) =>
        createChosenRow({ file, fault, removeLabel: this.#words.remove, remove: () => this.#remove(file) }),
      ),
    );
    list.hidden = this.#faults.size === 0;
    bar.hidden = list.hidden;
    this.#showButtons();
    if (this.#listFaulty().length === 0) this.#say("");
  }

  #listFaulty(): File[] {
    return [...this.#faults].flatMap(([file, fault]) => (fault === "" ? [] : [file]));
  }

  /** If some files have errors, the button saves the others. */
  #showButtons(): void {
    const { bar } = this.#parts;
    const faulty = this.#listFaulty().length;
    const count = this.#faults.size - faulty;
    const others = requireElement(bar, "[data-chosen-others]");
    const words = count === 1 ? this.#words.otherOne : this.#words.others;
    others.textContent = words.replace("{count}", String(count));
    others.hidden = faulty === 0 || count === 0;
    requireElement(bar, "[data-chosen-save]").hidden = !others.hidden;
  }

  #sendOthers(button: HTMLElement): void {
    for (const file of this.#listFaulty()) this.#faults.delete(file);
    this.#show();
    void this.#sendOnce(button);
  }

  #remove(file: File): void {
    this.#faults.delete(file);
    const amongFiles = this.#reason(ZIP_AMONG_FILES);
    for (const [other, fault] of this.#faults) if (fault === amongFiles) this.#faults.set(other, "");
    this.#show();
    this.#parts.input.focus();
  }

  #say(words: string): null {
    const { alert } = this.#parts;
    requireElement(alert, "[data-upload-reason]").textContent = words;
    requireElement(alert, "[data-import-zip]").hidden = words !== this.#reason(ZIP_AMONG_FILES);
    alert.hidden = words === "";
    if (words !== "") alert.scrollIntoView({ block: "nearest" });
    return null;
  }

  /** A second press during checking or sending does nothing. */
  async #sendOnce(submitter: HTMLElement | null): Promise<void> {
    const { form } = this.#parts;
    if (!tryMarkBusy(form, submitter)) return;
    const next = await this.#send();
    if (next === null) clearBusy(form);
    else location.assign(next);
  }

  /** Returns the page to open; null if the files were refused. */
  async #send(): Promise<string | null> {
    const files = [...this.#faults.keys()];
    const faults = await Promise.all(files.map((file) => this.#checkFile(file)));
    if (faults.some((fault) => fault !== "")) return this.#say(this.#words.wrong);
    const { form } = this.#parts;
    const zip = files.find(({ name }) => isZipName(name));
    if (zip && (files.length > 1 || this.#hasText()))
      return this.#refused({ code: ZIP_AMONG_FILES, file_name: zip.name });
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (!zip && bytes > ALL_MAX_BYTES) return this.#say(this.#reason("payload_too_large"));
    try {
      const answer = await fetch(zip ? IMPORT_PATH : location.pathname, {
        method: "POST",
        body: zip ? toZipForm(form, zip) : new FormData(form),
        headers: { Accept: "application/json" },
      });
      const body = await answer.json();
      return answer.ok ? choosePageAfter(body) : this.#refused(body);
    } catch {
      return this.#say(this.#words.unsent);
    }
  }

  #hasText(): boolean {
    const { form } = this.#parts;
    const area = form.querySelector("textarea");
    const name = form.elements.namedItem("file_name");
    return (area && readFieldText(area) !== "") || (name instanceof HTMLInputElement && name.value !== "");
  }

  #refused({ code, file_name }: { code: string; file_name?: string }): null {
    const reason = code === "auth_required" ? this.#words.loggedOut : this.#reason(code);
    for (const file of this.#faults.keys()) if (file.name === file_name) this.#faults.set(file, reason);
    this.#show();
    return this.#say(reason);
  }
}

/** The page of imports accepts a larger zip than /upload and reads it as it arrives. */
const IMPORT_PATH = "/settings/export";

function toZipForm(form: HTMLFormElement, zip: File): FormData {
  const body = new FormData();
  body.set("folder", new FormData(form).get("folder") ?? "");
  body.set("zip", zip);
  return body;
}

type SavedFiles = { import_id?: string; files?: { url: string }[]; folder_id?: string | null };

function choosePageAfter({ import_id, files: [first, ...others] = [], folder_id }: SavedFiles): string {
  if (import_id) return IMPORT_PATH;
  if (folder_id) return `/files?folder=${folder_id}`;
  return first && others.length === 0 ? first.url : "/files";
}

const isSame = (file: File, other: File) =>
  file.name === other.name && file.size === other.size && file.lastModified === other.lastModified;

type Row = { file: File; fault: string; removeLabel: string; remove: () => void };

function createChosenRow({ file, fault, removeLabel, remove }: Row): HTMLElement {
  const row = createElement(
    "li",
    "cluster chosen-file gap-3 rows-1 pad-3 pad-block-1 raised edge round breaks",
  );
  const name = createElement("bdi", "code", file.name);
  name.dir = "ltr";
  const size = createElement("bdi", "soft", formatBytesBesideLimit(file.size, BODY_MAX_BYTES));
  size.dir = "ltr";
  const button = createElement("button", "button button-small pushed", removeLabel);
  button.type = "button";
  button.setAttribute("aria-label", `${removeLabel} ${file.name}`);
  button.addEventListener("click", remove);
  row.append(name, size, ...(fault === "" ? [] : [createElement("span", "wrong", fault)]), button);
  return row;
}

function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = "",
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
