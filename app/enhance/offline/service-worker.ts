const WORKER_PATH = "/sw.js";

/** Shared by what needs the service worker. Asking again for one that is there costs nothing. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(workerUrl());
}

type Policy = { createScriptURL(path: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

/** The page's policy lets no mere string become a script's address. */
function workerUrl(): string {
  // The types of browsers do not know them yet.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("service-worker", { createScriptURL: () => WORKER_PATH });
  return policy ? policy.createScriptURL(WORKER_PATH) : WORKER_PATH;
}
