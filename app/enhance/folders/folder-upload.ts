/** The panel of a folder upload: progress, what was refused and why, and Undo. */

import { FOLDER_FILES_MAX, type FolderFiles } from "#app/enhance/folders/folder-files.ts";
import { listSubfolders, type Sent, sendFiles, undoUpload } from "#app/enhance/folders/folder-sending.ts";
import { storeUploadResult, type UploadDone, type UploadResult } from "#app/enhance/folders/upload-result.ts";
import { requireElement } from "#app/enhance/require-element.ts";

const FILES_SHOWN = 50;

type FolderUploadText = Record<
  | (
      | "reading"
      | "progress"
      | "waiting"
      | "none"
      | "tooMany"
      | "created"
      | "updated"
      | "unchanged"
      | "skipped"
      | "secrets"
    )
  | ("refused" | "moreFiles" | "stopped" | "unsent" | "unreadable" | "undoing" | "undone" | "undoFailed"),
  string
>;

let opened: FolderUpload | null = null;

export function openFolderUpload(): FolderUpload | null {
  const panel = document.querySelector<HTMLElement>("[data-folder-upload]");
  if (panel) opened ??= new FolderUpload(panel);
  return opened;
}

const fill = (words: string, values: Record<string, string | number>) =>
  words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

class FolderUpload {
  readonly #panel: HTMLElement;
  readonly #words: FolderUploadText;
  readonly #refusals: Record<string, string>;
  readonly #place: { folder: string; path: string[] };
  #stop = new AbortController();
  #isBusy = false;

  constructor(panel: HTMLElement) {
    this.#panel = panel;
    this.#words = JSON.parse(panel.dataset.words ?? "{}");
    this.#refusals = JSON.parse(panel.dataset.refusals ?? "{}");
    this.#place = { folder: panel.dataset.folderUpload ?? "", path: JSON.parse(panel.dataset.path ?? "[]") };
    this.#find("[data-upload-stop]").addEventListener("click", () => this.#stop.abort());
    this.#find("[data-upload-close]").addEventListener("click", () => location.reload());
    window.addEventListener("beforeunload", (event) => {
      if (this.#isBusy) event.preventDefault();
    });
  }

  /** Uploads one folder at a time and ignores another that comes in between. */
  async upload(read: () => FolderFiles | Promise<FolderFiles>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#stop = new AbortController();
    this.#begin();
    const folderFiles = await read();
    const problem = this.#findProblem(folderFiles);
    if (problem) this.#end(problem, this.#listSecrets(folderFiles.secrets));
    else await this.#send(folderFiles);
    this.#isBusy = false;
  }

  #findProblem({ files, isOverfull }: FolderFiles): string | null {
    if (isOverfull) return fill(this.#words.tooMany, { max: FOLDER_FILES_MAX.toLocaleString("en") });
    return files.length === 0 ? this.#words.none : null;
  }

  async #send(folderFiles: FolderFiles): Promise<void> {
    const bar = this.#find<HTMLProgressElement>("progress");
    bar.max = folderFiles.files.length;
    const before = await listSubfolders(this.#place);
    const sent = await sendFiles(folderFiles.files, this.#place, {
      signal: this.#stop.signal,
      onWait: () => this.#say(this.#words.waiting),
      onProgress: (done, all) => {
        bar.value = done;
        this.#say(fill(this.#words.progress, { done, all }));
      },
    });
    const show = await this.#findSent(folderFiles);
    const words = this.#stop.signal.aborted ? this.#words.stopped : "";
    this.#finish({
      words,
      done: { sent, skipped: [...folderFiles.skipped], secrets: folderFiles.secrets, before, show },
    });
  }

  /** Reports the result after a reload, so that the list has the new files, if the browser can store the result. */
  #finish(result: UploadResult): void {
    this.#isBusy = false;
    if (storeUploadResult(result)) location.reload();
    else this.showResult(result);
  }

  showResult({ words, done }: UploadResult): void {
    this.#panel.hidden = false;
    this.#end(words, done ? this.#summarise(done) : []);
    if (!done) return;
    const { sent, before, show } = done;
    this.#find<HTMLAnchorElement>("[data-upload-show]").href = show;
    const waiting = { signal: new AbortController().signal, onWait: () => this.#say(this.#words.waiting) };
    this.#offerUndo(() => undoUpload(sent, this.#place, before, waiting), sent);
  }

  async #findSent({ files }: FolderFiles): Promise<string> {
    const topNames = new Set(files.map(({ path }) => path.split("/", 1)[0]));
    const sent = topNames.size === 1 ? await listSubfolders(this.#place).catch(() => []) : [];
    const id = sent.find(({ name }) => topNames.has(name))?.id ?? this.#place.folder;
    return id ? `/files?folder=${id}` : "/files";
  }

  #begin(): void {
    this.#panel.hidden = false;
    this.#panel.scrollIntoView({ block: "nearest" });
    this.#find("ul").replaceChildren();
    this.#say(this.#words.reading);
    this.#show({ progress: true, "[data-upload-stop]": true });
  }

  #end(words: string, lines: HTMLElement[]): void {
    this.#say(words);
    this.#find("ul").replaceChildren(...lines);
    this.#show({ "[data-upload-show]": lines.length > 0, "[data-upload-close]": true });
    this.#panel.scrollIntoView({ block: "nearest" });
  }

  #offerUndo(undo: () => Promise<boolean>, { created, updated }: Sent): void {
    if (created.length + updated.length === 0) return;
    const button = this.#find<HTMLButtonElement>("[data-upload-undo]");
    button.hidden = false;
    button.onclick = async () => {
      this.#show({});
      this.#say(this.#words.undoing);
      const isUndone = await undo().catch(() => false);
      this.#finish({ words: isUndone ? this.#words.undone : this.#words.undoFailed, done: null });
    };
  }

  #show(parts: Record<string, boolean>): void {
    const all = ["progress", ..."stop show undo close".split(" ").map((name) => `[data-upload-${name}]`)];
    for (const name of all) this.#find(name).hidden = !parts[name];
  }

  #listSecrets(secrets: readonly string[]): HTMLElement[] {
    return this.#list(this.#words.secrets, secrets, (path) => [createName(path)]);
  }

  #summarise({ sent, skipped, secrets }: UploadDone): HTMLElement[] {
    const words = this.#words;
    const skippedCount = skipped.reduce((sum, [, count]) => sum + count, 0);
    return [
      ...this.#count(words.created, sent.created.length),
      ...this.#list(words.updated, sent.updated, (file) => [createVersionLink(file)]),
      ...this.#count(words.unchanged, sent.unchanged),
      ...this.#count(words.skipped, skippedCount, skipped.map(([name]) => name).join(", ")),
      ...this.#listSecrets(secrets),
      ...this.#list(words.refused, sent.refused, ({ path, code }) => [
        createName(path),
        " · ",
        this.#explain(code),
      ]),
    ];
  }

  #count(words: string, count: number, names = ""): HTMLElement[] {
    return count > 0 ? [createElement("li", fill(words, { count, names }))] : [];
  }

  #list<File>(
    words: string,
    files: readonly File[],
    write: (file: File) => (Node | string)[],
  ): HTMLElement[] {
    const lines = files.slice(0, FILES_SHOWN).map((file) => {
      const line = createElement("li", "");
      line.className = "soft breaks";
      line.append(...write(file));
      return line;
    });
    const more = this.#count(this.#words.moreFiles, files.length - lines.length);
    return [...this.#count(words, files.length), ...lines, ...more];
  }

  #explain(code: string): string {
    const ownReason = code === "unsent" || code === "unreadable" ? this.#words[code] : undefined;
    return ownReason ?? this.#refusals[code] ?? this.#words.unsent;
  }

  #say(words: string): void {
    this.#find("[role=status]").textContent = words;
  }

  #find<Found extends HTMLElement>(selector: string): Found {
    return requireElement<Found>(this.#panel, selector);
  }
}

function createElement(tag: "li" | "bdi", text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function createName(path: string): HTMLElement {
  const name = createElement("bdi", path);
  name.dir = "ltr";
  return name;
}

function createVersionLink({ id, path, version }: Sent["updated"][number]): HTMLElement {
  const link = document.createElement("a");
  link.href = `/file/${id}/compare?from=${version - 1}&to=${version}`;
  link.append(createName(path));
  return link;
}
