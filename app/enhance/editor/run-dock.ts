// Without it a run loads a page with its result; with it the output appears below the code while the program runs.

import {
  createFileRow,
  createLink,
  fill,
  type RunFileText,
  saveAndCreateLink,
} from "#app/enhance/editor/run-file-rows.ts";
import { startRun, stopRun } from "#app/enhance/editor/run-stream.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { writeDuration } from "#app/i18n/duration.ts";
import {
  type CodeRunResult,
  createLoneProgram,
  isRunnable,
  lacksInput,
  listMissedFiles,
  stopReason,
  toRunStatus,
} from "#domain/code-runs/code-run.ts";
import { type PlacedProgram, splitAtPlaces } from "#domain/code-runs/error-places.ts";
import type { SentRunEvent } from "#domain/code-runs/run-events.ts";
import { type OutputChunk, toShownOutput } from "#domain/code-runs/run-output.ts";
import { DEFAULT_LOCALE, isLocale } from "#domain/locale.ts";
import type { RefusalBody } from "#domain/refusal.ts";

type RunDockText = RunFileText &
  Record<
    | ("waiting" | "waitingAhead" | "running" | "stopping" | "finished" | "failed" | "refused")
    | (
        | "timed_out"
        | "out_of_memory"
        | "stopped"
        | "crashed"
        | "lost"
        | "lostKept"
        | "needsInput"
        | "noOutput"
        | "cut"
      )
    | ("seconds" | "memory" | "kept" | "unkept" | "leftOut"),
    string
  >;
type Answer = CodeRunResult & { kept?: string | null };
/** The request for a run. The dock itself reads only the fields that name the program. */
type DockRequest = { file_id?: string; language?: string; [field: string]: unknown };
type DockOptions = {
  /** Form fields of the program, such as its input. They move into the dock. */
  fields: HTMLElement;
  /** Scrolls the code to a line. Without it, lines are links on this page. */
  showLine?: (line: number) => void;
};

const TICK_MS = 100;

let opened: RunDock | null = null;

export function openRunDock(options: DockOptions): RunDock {
  opened ??= new RunDock(requireElement(document, "[data-run-dock]"), options);
  return opened;
}

class RunDock {
  readonly #dock: HTMLElement;
  readonly #words: RunDockText;
  readonly #refusals: Record<string, string>;
  readonly #showLine: DockOptions["showLine"];
  #run: { id: string | null; isStopped: boolean; isKept: boolean } | null = null;
  #startedAtMs = 0;
  /** The element with the focus when the run began. */
  #focusedBefore: Element | null = null;
  #program: PlacedProgram | null = null;

  constructor(dock: HTMLElement, { fields, showLine }: DockOptions) {
    this.#dock = dock;
    this.#showLine = showLine;
    this.#words = JSON.parse(dock.dataset.words ?? "{}");
    this.#refusals = JSON.parse(dock.dataset.refusals ?? "{}");
    this.#find("[data-dock-fields]").append(fields);
    this.#find("[data-dock-stop]").addEventListener("click", () => this.#stop());
    this.#find("[data-dock-close]").addEventListener("click", () => this.#close());
    this.#find("[data-dock-save]").addEventListener("click", () => void this.#saveOutput());
  }

  /** Runs one program at a time. False if the server does not answer or the session has ended. */
  async run(request: DockRequest): Promise<boolean> {
    if (this.#run) return true;
    this.#program = this.#findProgram(request);
    this.#run = { id: null, isStopped: false, isKept: request.keep === true };
    this.#focusedBefore = document.activeElement;
    this.#begin();
    const ticking = this.#startTicking();
    try {
      const run = await startRun(request);
      if (run === null) return false;
      if (Symbol.asyncIterator in run) await this.#follow(run);
      else this.#refuse(run);
      return true;
    } finally {
      clearInterval(ticking);
      this.#run = null;
      this.#dock.removeAttribute("aria-busy");
      this.#find("[data-dock-stop]").hidden = true;
      this.#find("[data-dock-again]").hidden = false;
    }
  }

  /** The program to which links to lines lead. Null for part of a file, whose line numbers fit no page. */
  #findProgram({ file_id, language = "" }: DockRequest): PlacedProgram | null {
    const { file, name = "" } = this.#dock.dataset;
    if (file_id !== undefined) return { name, fileId: file_id };
    if (file !== undefined || !isRunnable(language)) return null;
    return { name: createLoneProgram(language).name, fileId: null };
  }

  async #follow(events: AsyncGenerator<SentRunEvent>): Promise<void> {
    for await (const { event, data } of events) {
      if (event === "queued") this.#wait(data);
      else if (event === "started") this.#start(data);
      else if (event === "output") this.#print(data);
      else if (event === "refused") return this.#refuse(data);
      else return this.#end(data);
    }
    this.#say(this.#run?.isKept ? this.#words.lostKept : this.#words.lost, "failed");
  }

  #begin(): void {
    this.#dock.hidden = false;
    this.#dock.setAttribute("aria-busy", "true");
    this.#find("[data-dock-stop]").hidden = false;
    this.#find("[data-dock-again]").hidden = true;
    this.#find("[data-dock-save]").hidden = true;
    this.#find("[data-dock-files]").hidden = true;
    this.#find("[data-dock-output]").replaceChildren();
    this.#find("[data-dock-facts]").replaceChildren();
    this.#say(this.#words.waiting);
  }

  #wait({ run_id, ahead }: { run_id: string; ahead: number }): void {
    if (this.#setRunId(run_id)) return;
    this.#say(ahead > 0 ? fill(this.#words.waitingAhead, { count: ahead }) : this.#words.waiting);
  }

  #start({ run_id }: { run_id: string }): void {
    this.#startedAtMs = performance.now();
    if (!this.#setRunId(run_id)) this.#say(this.#words.running);
  }

  /** Stores the run's id, by which it can be stopped. True if the person stopped it before the id arrived. */
  #setRunId(id: string): boolean {
    if (!this.#run) return false;
    if (this.#run.isStopped && this.#run.id === null) void stopRun(id);
    this.#run.id = id;
    return this.#run.isStopped;
  }

  #startTicking(): ReturnType<typeof setInterval> {
    this.#startedAtMs = performance.now();
    const facts = this.#find("[data-dock-facts]");
    return setInterval(() => {
      facts.textContent = this.#seconds(performance.now() - this.#startedAtMs);
    }, TICK_MS);
  }

  #stop(): void {
    if (!this.#run) return;
    this.#say(this.#words.stopping);
    this.#run.isStopped = true;
    if (this.#run.id) void stopRun(this.#run.id);
  }

  #close(): void {
    if (this.#run) this.#stop();
    this.#dock.hidden = true;
  }

  /** Appends output. It scrolls to the end unless the person has scrolled up. */
  #print({ stream, text }: OutputChunk): void {
    const scroll = this.#find("[data-dock-scroll]");
    const output = this.#find("[data-dock-output]");
    const isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 8;
    const last = output.lastElementChild;
    const span =
      last instanceof HTMLElement && last.className === stream ? last : document.createElement("span");
    span.className = stream;
    span.append(toShownOutput(text));
    if (span !== last) output.append(span);
    if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
  }

  #end(result: Answer): void {
    this.#say(this.#ending(result), toRunStatus(result));
    const output = this.#find("[data-dock-output]");
    for (const span of output.querySelectorAll<HTMLElement>(".stderr")) this.#linkPlaces(span);
    if (output.childElementCount === 0) this.#remark(this.#words.noOutput);
    else this.#find("[data-dock-save]").hidden = false;
    if (lacksInput(result)) this.#offerInput();
    if (result.truncated) this.#remark(this.#words.cut);
    this.#listFacts(result);
    this.#listFiles(result);
  }

  /** Focuses the input, so that typing triggers no shortcuts. A field that the person entered during the run keeps the focus. */
  #offerInput(): void {
    this.#find<HTMLDetailsElement>("[data-dock-options]").open = true;
    this.#remark(this.#words.needsInput);
    const { activeElement } = document;
    const isTyping =
      activeElement !== this.#focusedBefore && activeElement?.matches("input, textarea, [contenteditable]");
    if (!isTyping) this.#find("[name=stdin]").focus();
  }

  #ending({ error, exit_code, success, limits_applied: limits }: Answer): string {
    if (success) return this.#words.finished;
    const words = error === null ? this.#words.failed : this.#words[stopReason(exit_code)];
    return fill(words, { code: exit_code, seconds: limits.timeout, memory: limits.memory_limit_mb });
  }

  #listFacts({ execution_time_ms, memory_used_mb, kept }: Answer): void {
    const { file, version = "" } = this.#dock.dataset;
    const facts: (string | Node)[] = [
      execution_time_ms > 0 ? writeDuration(readLocale(), execution_time_ms) : "",
      memory_used_mb ? fill(this.#words.memory, { memory: memory_used_mb }) : "",
      version,
      kept ? createLink(`/file/${file}?run=${kept}#runs`, this.#words.kept) : file ? this.#words.unkept : "",
    ];
    const shownFacts = facts.filter((fact) => fact !== "");
    this.#find("[data-dock-facts]").replaceChildren(
      ...shownFacts.flatMap((fact, i) => (i === 0 ? [fact] : [" · ", fact])),
    );
  }

  /** Links the error messages' lines, of the program or a file beside it. */
  #linkPlaces(part: HTMLElement): void {
    if (!this.#program) return;
    const pieces = splitAtPlaces(part.textContent ?? "", this.#program);
    part.replaceChildren(
      ...pieces.map(({ text, line, address }) => {
        if (address === null) return text;
        const link = createLink(address, text);
        link.addEventListener("click", (event) => {
          if (!this.#showLine || line === null) return;
          event.preventDefault();
          this.#showLine(line);
        });
        return link;
      }),
    );
  }

  /** Lists the files that the program wrote and those that it missed. */
  #listFiles(result: Answer): void {
    const rows = (result.files_written ?? []).map((file) => createFileRow(file, this.#folder, this.#words));
    const missed = listMissedFiles(result);
    if (missed.length > 0) {
      const row = document.createElement("li");
      row.textContent = fill(this.#words.leftOut, { names: missed.join(", ") });
      rows.push(row);
    }
    const list = this.#find("[data-dock-files]");
    list.hidden = rows.length === 0;
    list.replaceChildren(...rows);
  }

  async #saveOutput(): Promise<void> {
    const button = this.#find("[data-dock-save]");
    const name = `${this.#dock.dataset.name}.output.txt`;
    const parts = this.#dock.querySelectorAll("[data-dock-output] > :is(.stdout, .stderr)");
    const output = Array.from(parts, ({ textContent }) => textContent).join("");
    const saved = await saveAndCreateLink(
      this.#folder,
      { path: name, body: output, label: name },
      this.#words,
    );
    button.hidden = true;
    this.#find("[data-dock-facts]").append(" · ", saved);
  }

  get #folder(): string {
    return this.#dock.dataset.folder ?? "";
  }

  #refuse({ code, message, error }: RefusalBody): void {
    this.#say(this.#words.refused, "failed");
    this.#remark(this.#refusals[code] ?? message ?? error);
  }

  #remark(words: string): void {
    const remark = document.createElement("span");
    remark.className = "run-remark soft block";
    remark.dir = "auto";
    remark.textContent = words;
    this.#find("[data-dock-output]").append(remark);
  }

  #say(words: string, ending = "running"): void {
    const status = this.#find("[data-dock-status]");
    status.className = `status status-${ending}`;
    status.textContent = words;
  }

  #seconds(ms: number): string {
    return fill(this.#words.seconds, { seconds: (ms / 1000).toFixed(1) });
  }

  #find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
    return requireElement<Found>(this.#dock, selector);
  }
}

function readLocale() {
  const { lang } = document.documentElement;
  return isLocale(lang) ? lang : DEFAULT_LOCALE;
}
