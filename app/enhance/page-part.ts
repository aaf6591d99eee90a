/**
 * Sends a form as its button would and brings the part of the page that comes back; null where that page has no such part, such as
 * the one that says a session has ended.
 */
export function askForPart(
  form: HTMLFormElement,
  submitter: HTMLButtonElement,
  selector: string,
): Promise<Element | null> {
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "text/html");
  // A document by request is parsed without its scripts.
  request.responseType = "document";
  const sent = new FormData(form, submitter);
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve(request.response?.querySelector(selector) ?? null));
    request.send(form.enctype === "multipart/form-data" ? sent : new URLSearchParams(sent as never));
  });
}

/** What comes back without the part is a page of its own. */
export function sendPlainly(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const intent = document.createElement("input");
  Object.assign(intent, { type: "hidden", name, value });
  form.append(intent);
  form.submit();
}

/** Says that a program runs, from the moment it is sent until its result takes the place. */
export function sayRunning(within: Element | null | undefined, running: boolean): void {
  const waiting = within?.querySelector<HTMLElement>("[data-run-waiting]");
  if (waiting) waiting.hidden = !running;
}
