// The forms that are sent with what a passkey answers: one logs in, one adds a passkey. Fetched on the pages that have one.

import { requireElement } from "#app/enhance/require-element.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type Problem = "unsupported" | "failed" | "known";

/** A browser lets one wait at a time: whoever asks next ends the one before. */
let waiting = new AbortController();

export function enhancePasskeyForms(): void {
  const login = document.querySelector<HTMLFormElement>("[data-passkey-login]");
  const adding = document.querySelector<HTMLFormElement>("[data-passkey-new]");
  if (!("PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential))
    showProblem("unsupported");
  else {
    if (login) sendOnSubmit(login, () => getPasskey("optional"));
    if (login) void offerInField(login);
    if (adding) sendOnSubmit(adding, createPasskey);
  }
}

function sendOnSubmit(form: HTMLFormElement, ask: () => Promise<Credential | null>): void {
  form.classList.remove("needs-script");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    showProblem(null);
    ask().then(
      (credential) => send(form, credential),
      (error: Error) => showProblem(error.name === "InvalidStateError" ? "known" : "failed"),
    );
  });
}

/** Passkeys are offered in the field's own list until one is chosen; a refusal to choose is no problem. */
async function offerInField(form: HTMLFormElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  requireElement(form, "[data-passkey-field]").hidden = false;
  const begun = Date.now();
  const credential = await getPasskey("conditional").catch(() => null);
  if (!credential) return;
  // The page was open for too long: the passkey has to answer a new challenge.
  if (Date.now() - begun > CHALLENGE_MS) return form.requestSubmit();
  send(form, credential);
}

/** A little less than the server takes an answer for. */
const CHALLENGE_MS = 4.5 * MINUTE_MS;

async function getPasskey(mediation: CredentialMediationRequirement): Promise<Credential | null> {
  const signal = takeTurn();
  const options = await fetchOptions<PublicKeyCredentialRequestOptionsJSON>("/auth/passkey");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey, mediation, signal });
}

async function createPasskey(): Promise<Credential | null> {
  const signal = takeTurn();
  const options = await fetchOptions<PublicKeyCredentialCreationOptionsJSON>("/auth/passkey?new");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return navigator.credentials.create({ publicKey, signal });
}

function takeTurn(): AbortSignal {
  waiting.abort();
  waiting = new AbortController();
  return waiting.signal;
}

async function fetchOptions<Options>(path: string): Promise<Options> {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`Not answered: ${answer.status}`);
  return answer.json();
}

function send(form: HTMLFormElement, credential: Credential | null): void {
  if (credential instanceof PublicKeyCredential) {
    requireElement<HTMLInputElement>(form, "[name=credential]").value = JSON.stringify(credential);
    form.submit();
  } else showProblem("failed");
}

function showProblem(problem: Problem | null): void {
  for (const words of document.querySelectorAll<HTMLElement>("[data-passkey-problem]"))
    words.hidden = words.dataset.passkeyProblem !== problem;
}
