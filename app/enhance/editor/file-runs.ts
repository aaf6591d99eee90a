// Without it a run loads the file's page again; with it the output appears in a dock below the code.

import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { fetchPart, loadStyles, submitAsPage } from "#app/enhance/page-part.ts";
import { splitArguments } from "#domain/code-runs/run-arguments.ts";

let dockLoading: Promise<boolean> | null = null;
const PLACE = "[data-dock-place]";
const RUN_LIST = "[data-runs]";
/** Set while the dock shows a run of selected lines. */
let runAgain: (() => Promise<void>) | null = null;

export function enhanceFileRuns(): void {
  if (!document.querySelector(PLACE)) return;
  restoreInput();
  void followActiveRun();
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

/** Ctrl+Enter runs the file from anywhere on its page, except from a field of another form. */
function runByKey(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
  const form = findForm();
  const field = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
  const isOtherField = field instanceof HTMLElement && !("form" in field && field.form === form);
  const run = form?.querySelector<HTMLButtonElement>("button[value=run]");
  if (!run || isOtherField) return;
  event.preventDefault();
  form?.requestSubmit(run);
}

const findForm = () => document.querySelector<HTMLFormElement>("[data-run-form]");

export const hasRuns = (): boolean => findForm()?.dataset.language !== undefined;

export async function runLines(code: string): Promise<void> {
  const form = findForm();
  if (!form) return;
  runAgain = () => runLines(code);
  dockLoading ??= insertRunDock(form.id);
  const [{ openRunDock }, hasDock] = await Promise.all([
    import("#app/enhance/editor/run-dock.ts"),
    dockLoading,
  ]);
  if (!hasDock) return;
  const { language } = form.dataset;
  await openRunDock({ fields: form }).run({ code, language, ...readInput(form) });
}

const INPUT_FIELDS = ["stdin", "args"] as const;

function restoreInput(): void {
  const form = findForm();
  for (const name of INPUT_FIELDS) {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
    field.value ||= sessionStorage.getItem(inputKey(name)) ?? "";
  }
}

/** If the browser has no room for the input, the program runs all the same. */
function storeRunInput(form: HTMLFormElement): void {
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
  dockLoading ??= insertRunDock(form.id);
  const [{ openRunDock }, hasDock] = await Promise.all([
    import("#app/enhance/editor/run-dock.ts"),
    dockLoading,
  ]);
  if (!hasDock) return submitAsPage(form, submitter);
  storeRunInput(form);
  const fields = new FormData(form);
  const keep = fields.has("keep");
  const wasAccepted = await openRunDock({ fields: form }).run({
    file_id: form.dataset.runForm,
    version: Number(fields.get("version")),
    keep,
    ...readInput(form),
  });
  if (!wasAccepted) return submitAsPage(form, submitter);
  if (keep) await refreshResults();
}

const ACTIVE_RUN = "[data-run-under-way]";
const POLL_MS = 1000;

/** Follows a run that began before this page was opened, until it ends and its result is shown. */
async function followActiveRun(): Promise<void> {
  let isAnswered = true;
  while (isAnswered && document.querySelector(ACTIVE_RUN)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    isAnswered = document.hidden || (await refreshResults("last"));
  }
}

/** Reloads the page's list of runs, on request with the last result. Without an answer the list stays and the result is false. */
async function refreshResults(shown?: "last"): Promise<boolean> {
  const address = new URL(location.href);
  if (shown) address.searchParams.set("run", shown);
  // The styles of notes come as data: rules would carry the nonce of their own page, and this page's policy would report them.
  address.searchParams.set("part", "notes");
  const fresh = await fetchPart(address.pathname + address.search, RUN_LIST);
  if (!fresh) return false;
  await loadStyles(fresh);
  for (const selector of ["summary", "[data-runs-results]"]) {
    const next = fresh.querySelector(selector);
    if (next) document.querySelector(`${RUN_LIST} ${selector}`)?.replaceWith(next);
  }
  enhanceLocalTime();
  return true;
}

/** Takes the dock from the page of the tools. False if that fails. */
async function insertRunDock(formId: string): Promise<boolean> {
  const target = document.querySelector<HTMLElement>(PLACE);
  const dock = await fetchPart("/tools/code", "[data-run-dock]");
  if (!target || !dock) return false;
  Object.assign(dock.dataset, target.dataset);
  delete dock.dataset.dockPlace;
  dock.querySelector("[data-dock-again]")?.setAttribute("form", formId);
  const styles = dock.querySelector("link");
  const areLoaded = new Promise((resolve) => {
    styles?.addEventListener("load", resolve);
    styles?.addEventListener("error", resolve);
  });
  target.replaceWith(dock);
  await areLoaded;
  return true;
}
