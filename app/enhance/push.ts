// Without it the list of devices, removal and the test work; with it this browser can be switched on and off.

import { registerWorker } from "#app/enhance/offline/service-worker.ts";
import { requireElement } from "#app/enhance/require-element.ts";

type State = "off" | "on" | "denied" | "unsupported" | "iosTab" | "insecure" | "failed" | "working";

const DEVICE_KEY = "push-device";

export function enhancePush(): void {
  const section = document.querySelector<HTMLElement>("[data-push]");
  if (!section?.dataset.push) return;
  const publicKey = section.dataset.push;
  section.querySelector("[data-push-controls]")?.classList.remove("needs-script");
  const attempt = (work: () => Promise<void>) => async () => {
    showPushState(section, "working");
    await work().catch(() =>
      showPushState(section, Notification.permission === "denied" ? "denied" : "failed"),
    );
  };
  section.querySelector("[data-push-on]")?.addEventListener(
    "click",
    attempt(() => turnOn(publicKey)),
  );
  section.querySelector("[data-push-off]")?.addEventListener("click", attempt(turnOff));
  void syncPushState().then((state) => showPushState(section, state));
}

function showPushState(section: HTMLElement, state: State): void {
  for (const words of section.querySelectorAll<HTMLElement>("[data-push-state]"))
    words.hidden = words.dataset.pushState !== state;
  const offers: [selector: string, states: State[]][] = [
    ["[data-push-on]", ["off", "failed"]],
    ["[data-push-off]", ["on"]],
  ];
  for (const [selector, states] of offers) requireElement(section, selector).hidden = !states.includes(state);
}

async function syncPushState(): Promise<State> {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return isIosTab() ? "iosTab" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  const subscription = await findSubscription();
  const row = document.querySelector(`[data-device="${CSS.escape(localStorage.getItem(DEVICE_KEY) ?? "")}"]`);
  row?.querySelector<HTMLElement>("[data-this-device]")?.removeAttribute("hidden");
  if (subscription && row) return "on";
  // The device was removed from the list, so nobody must be notified through it.
  await subscription?.unsubscribe();
  return "off";
}

function isIosTab(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

async function findSubscription(): Promise<PushSubscription | null | undefined> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

/** Requests permission only within the click that asks for it. */
async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("Not permitted");
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made with another server key could never be reached with this one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const answer = await callSubscriptionApi("POST", subscription.toJSON());
  const { subscription: device } = await answer.json();
  localStorage.setItem(DEVICE_KEY, device.endpoint_hash);
  location.reload();
}

async function turnOff(): Promise<void> {
  const subscription = await findSubscription();
  if (subscription) await callSubscriptionApi("DELETE", { endpoint: subscription.endpoint });
  await subscription?.unsubscribe();
  localStorage.removeItem(DEVICE_KEY);
  location.reload();
}

async function callSubscriptionApi(method: string, body: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const answer = await fetch("/api/push/subscribe", { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`Answered ${answer.status}`);
  return answer;
}
