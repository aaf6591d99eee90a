const WORKER_PATH = "/sw.js";

/** Registers the service worker; registering it again costs nothing. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(createWorkerUrl());
}

type Policy = { createScriptURL(path: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

/** Wraps the address as a trusted type, which the page's policy requires for scripts. */
function createWorkerUrl(): string {
  // The DOM types lack trusted types.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("service-worker", { createScriptURL: () => WORKER_PATH });
  return policy ? policy.createScriptURL(WORKER_PATH) : WORKER_PATH;
}
