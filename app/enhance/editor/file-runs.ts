// Without it a run brings the page of the file again; with it the output comes in a dock below the code.

import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { fetchPart, loadStyles, sendPlainly } from "#app/enhance/page-part.ts";
import { splitArguments } from "#domain/code-runs/run-arguments.ts";

/** One dock, whoever presses twice. */
let isDockHere: Promise<boolean> | null = null;
const PLACE = "[data-dock-place]";
const RUNS = "[data-runs]";
/** What the dock runs again, where that is a part of the file. */
let runAgain: (() => Promise<void>) | null = null;

export function enhanceFileRuns(): void {
  if (!document.querySelector(PLACE)) return;
  restoreInput();
  void followRunUnderWay();
  document.addEventListener("keydown", runByKey);
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (
      !(form instanceof HTMLFormElement) ||
      !form.matches("[data-run-form]") ||
      !(submitter instanceof HTMLButtonElement)
    )
      return;
    event.preventDefault();
    if (submitter.matches("[data-dock-again]") && runAgain) return void runAgain();
    runAgain = null;
    void run(form, submitter);
  });
}

/** Ctrl+Enter runs the file from anywhere on its page but from a text that is being written for something else. */
function runByKey(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
  const form = findForm();
  const field = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
  const isElsewhere = field instanceof HTMLElement && !("form" in field && field.form === form);
  const run = form?.querySelector<HTMLButtonElement>("button[value=run]");
  if (!run || isElsewhere) return;
  event.preventDefault();
  form?.requestSubmit(run);
}

const findForm = () => document.querySelector<HTMLFormElement>("[data-run-form]");

/** Whether the file of this page can be run here. */
export const hasRuns = (): boolean => findForm()?.dataset.language !== undefined;

/** Runs a part of the file as a program of its own. Nothing of it is kept. */
export async function runLines(code: string): Promise<void> {
  const form = findForm();
  if (!form) return;
  runAgain = () => runLines(code);
  isDockHere ??= bringDock(form.id);
  const [{ openRunDock }, isHere] = await Promise.all([
    import("#app/enhance/editor/run-dock.ts"),
    isDockHere,
  ]);
  if (!isHere) return;
  const { language } = form.dataset;
  await openRunDock({ fields: form }).run({ code, language, ...readInput(form) });
}

const INPUT_FIELDS = ["stdin", "args"] as const;

/** What the program was given last in this tab is given again, after an edit too. */
function restoreInput(): void {
  const form = findForm();
  for (const name of INPUT_FIELDS) {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
    field.value ||= sessionStorage.getItem(inputKey(name)) ?? "";
  }
}

/** A browser that has no room for it runs the program all the same. */
function keepInput(form: HTMLFormElement): void {
  const fields = new FormData(form);
  try {
    for (const name of INPUT_FIELDS) sessionStorage.setItem(inputKey(name), String(fields.get(name) ?? ""));
  } catch {
    for (const name of INPUT_FIELDS) sessionStorage.removeItem(inputKey(name));
  }
}

const inputKey = (name: string) => `run:${findForm()?.dataset.runForm}:${name}`;

function readInput(form: HTMLFormElement) {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "");
  return {
    timeout: Number(text("timeout")) || undefined,
    stdin: text("stdin"),
    args: splitArguments(text("args")),
  };
}

async function run(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<void> {
  isDockHere ??= bringDock(form.id);
  const [{ openRunDock }, isHere] = await Promise.all([
    import("#app/enhance/editor/run-dock.ts"),
    isDockHere,
  ]);
  if (!isHere) return sendPlainly(form, submitter);
  keepInput(form);
  const fields = new FormData(form);
  const keep = fields.has("keep");
  const isTaken = await openRunDock({ fields: form }).run({
    file_id: form.dataset.runForm,
    version: Number(fields.get("version")),
    keep,
    ...readInput(form),
  });
  if (!isTaken) return sendPlainly(form, submitter);
  if (keep) await refreshResults();
}

const UNDER_WAY = "[data-run-under-way]";
const LOOK_AGAIN_MS = 1000;

/** A run that was begun before this page was opened: its output is brought until it has ended, and then its result. */
async function followRunUnderWay(): Promise<void> {
  let isAnswered = true;
  while (isAnswered && document.querySelector(UNDER_WAY)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    isAnswered = document.hidden || (await refreshResults("last"));
  }
}

/**
 * What the page lists of the file's runs, with the one that has just ended, and the last result where that is asked for. Without an
 * answer the list stays as it is. Whether there was one.
 */
async function refreshResults(shown?: "last"): Promise<boolean> {
  const address = new URL(location.href);
  if (shown) address.searchParams.set("run", shown);
  // The rules of its notes come as data: they carry the nonce of their own page, and this page's policy would report them.
  address.searchParams.set("part", "notes");
  const fresh = await fetchPart(address.pathname + address.search, RUNS);
  if (!fresh) return false;
  await loadStyles(fresh);
  for (const part of ["summary", "[data-runs-results]"]) {
    const next = fresh.querySelector(part);
    if (next) document.querySelector(`${RUNS} ${part}`)?.replaceWith(next);
  }
  enhanceLocalTime();
  return true;
}

/** The page of the tools has a dock; it is taken from there once. False where it does not come. */
async function bringDock(formId: string): Promise<boolean> {
  const place = document.querySelector<HTMLElement>(PLACE);
  const dock = await fetchPart("/tools/code", "[data-run-dock]");
  if (!place || !dock) return false;
  Object.assign(dock.dataset, place.dataset);
  delete dock.dataset.dockPlace;
  dock.querySelector("[data-dock-again]")?.setAttribute("form", formId);
  const styles = dock.querySelector("link");
  const areLoaded = new Promise((resolve) => {
    styles?.addEventListener("load", resolve);
    styles?.addEventListener("error", resolve);
  });
  place.replaceWith(dock);
  await areLoaded;
  return true;
}
