// The two forms that a passkey answers: login and adding a passkey. Fetched only on their pages.

import { requireElement } from "#app/enhance/require-element.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type Problem = "unsupported" | "failed" | "known";

/** A browser allows one pending passkey request; a new one ends the old one. */
let pendingRequest = new AbortController();

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
      (credential) => submitCredential(form, credential),
      (error: Error) => showProblem(error.name === "InvalidStateError" ? "known" : "failed"),
    );
  });
}

/** Offers passkeys in the field's suggestion list until one is chosen; dismissing it is no problem. */
async function offerInField(form: HTMLFormElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  requireElement(form, "[data-passkey-field]").hidden = false;
  const startedAt = Date.now();
  const credential = await getPasskey("conditional").catch(() => null);
  if (!credential) return;
  // The page was open for too long, so the passkey has to answer a new challenge.
  if (Date.now() - startedAt > CHALLENGE_MS) return form.requestSubmit();
  submitCredential(form, credential);
}

/** A little less than the server accepts. */
const CHALLENGE_MS = 4.5 * MINUTE_MS;

async function getPasskey(mediation: CredentialMediationRequirement): Promise<Credential | null> {
  const signal = replacePendingRequest();
  const options = await fetchOptions<PublicKeyCredentialRequestOptionsJSON>("/auth/passkey");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey, mediation, signal });
}

async function createPasskey(): Promise<Credential | null> {
  const signal = replacePendingRequest();
  const options = await fetchOptions<PublicKeyCredentialCreationOptionsJSON>("/auth/passkey?new");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return navigator.credentials.create({ publicKey, signal });
}

function replacePendingRequest(): AbortSignal {
  pendingRequest.abort();
  pendingRequest = new AbortController();
  return pendingRequest.signal;
}

async function fetchOptions<Options>(path: string): Promise<Options> {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`Not answered: ${answer.status}`);
  return answer.json();
}

function submitCredential(form: HTMLFormElement, credential: Credential | null): void {
  if (credential instanceof PublicKeyCredential) {
    requireElement<HTMLInputElement>(form, "[name=credential]").value = JSON.stringify(credential);
    form.submit();
  } else showProblem("failed");
}

function showProblem(problem: Problem | null): void {
  for (const words of document.querySelectorAll<HTMLElement>("[data-passkey-problem]"))
    words.hidden = words.dataset.passkeyProblem !== problem;
}
