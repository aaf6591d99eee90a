/**
 * The service worker: shows what the push service brings and carries out what a person answers to it; keeps pages for reading
 * without a network (`sw/pages.js`) and forms for sending later (`sw/outbox.js`). Each kind of work is a table, and each event
 * has one listener at the end.
 */
self.offline = {};
importScripts("/sw/pages.js", "/sw/outbox.js");

/** The page that a click opens, by the kind of message. */
const PLACES = {
  note_reminder: ({ note_id }) => `/note/${encodeURIComponent(note_id)}`,
  file_saved: ({ file_id }) => `/file/${encodeURIComponent(file_id)}`,
  note_added: ({ note_id }) => `/note/${encodeURIComponent(note_id)}`,
  task_changed: ({ note_id }) => `/note/${encodeURIComponent(note_id)}`,
  reminder_set: ({ note_id }) => `/note/${encodeURIComponent(note_id)}`,
  push_test: () => "/settings/devices",
};
const HOME = "/dashboard";

const SNOOZE_MINUTES = { snooze_10: 10, snooze_60: 60, snooze_1440: 1440 };

const send = (path, body) =>
  fetch(path, {
    method: "POST",
    credentials: "same-origin",
    keepalive: true,
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });

/** Tells the server how far this got; a report that is lost is lost. */
const report = (step, status) =>
  send("/api/push/sw-report", status === undefined ? { step } : { step, status }).catch(() => undefined);

async function show(event) {
  const message = read(event);
  const { title = "Codeshelf", ...options } = message.notification ?? {};
  await self.registration.showNotification(title, {
    icon: "/icon-192.png",
    ...options,
    data: { ...message.data, notification: message.notification },
  });
  await report(message.notification ? "shown" : "shown_unreadable");
}

/** A browser must show a notification for each message, even for an unreadable one. */
function read(event) {
  try {
    return event.data.json();
  } catch {
    return {};
  }
}

/** One answer, one deed: a reminder is put off, or it is opened and so done; never both. */
async function answer(event) {
  const { notification, action } = event;
  notification.close();
  const minutes = SNOOZE_MINUTES[action];
  await (minutes === undefined ? open(notification.data ?? {}) : snooze(notification, minutes));
}

async function open(data) {
  const place = Object.hasOwn(PLACES, data.type) ? PLACES[data.type](data) : HOME;
  await Promise.all([visit(place), acknowledge(data)]);
}

async function visit(place) {
  const url = new URL(place, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((client) => client.url === url);
  await (there ? there.focus() : self.clients.openWindow(url)).catch(() => undefined);
  await report("opened");
}

/** Names the moment that was shown, so that a reminder that was set again since then stays. */
async function acknowledge({ type, note_id, remind_at }) {
  if (type !== "note_reminder") return;
  const done = await send("/api/sticky-notes/reminders/ack", { note_id, remind_at }).catch(() => null);
  await report(done?.ok ? "acknowledged" : "acknowledge_failed", done?.status ?? 0);
}

/** A reminder that could not be put off is shown again. */
async function snooze({ data, title }, minutes) {
  const path = `/api/sticky-notes/note/${encodeURIComponent(data.note_id)}/snooze`;
  const done = await send(path, { minutes }).catch(() => null);
  if (!done?.ok)
    await self.registration.showNotification(title, { icon: "/icon-192.png", ...data.notification, data });
  await report(done?.ok ? "snoozed" : "snooze_failed", done?.status ?? 0);
}

/** The browser was given another address by its push service. */
async function resubscribe(event) {
  const options = event.oldSubscription?.options;
  const fresh =
    event.newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (!fresh) return report("resubscribe_failed");
  const done = await send("/api/push/subscribe", fresh.toJSON()).catch(() => null);
  await report(done?.ok ? "resubscribed" : "resubscribe_failed", done?.status ?? 0);
}

/** Chooses how a request is answered; null leaves it to the network alone. */
function chooseWay({ method, mode, destination, url }) {
  const { origin, pathname } = new URL(url);
  if (origin !== self.location.origin) return null;
  if (method === "GET" && pathname.startsWith("/assets/"))
    return (event) => self.offline.answerAsset(event.request);
  if (mode !== "navigate" || destination !== "document") return null;
  if (pathname === "/logout") return leave;
  if (method === "GET") return self.offline.answerPage;
  const isOurs = self.offline.isSaving(url) || pathname === "/preferences" || !navigator.onLine;
  return method === "POST" && isOurs ? self.offline.answerForm : null;
}

/**
 * A log-out removes everything that was kept, with or without a network. Another site can open this address too, and the server then
 * logs nobody out: a request from elsewhere removes data only if a person was logged in before it and nobody is afterwards.
 */
async function leave({ request }) {
  if (isFromOurPages(request)) {
    await forgetAll();
    return fetch(request).catch(self.offline.leftPage);
  }
  try {
    const wasLoggedIn = await self.offline.isLoggedIn();
    const answer = await fetch(request);
    if (wasLoggedIn && !(await self.offline.isLoggedIn())) await forgetAll();
    return answer;
  } catch {
    return self.offline.offlinePage();
  }
}

const isFromOurPages = ({ referrer }) =>
  URL.canParse(referrer) && new URL(referrer).origin === self.location.origin;

async function forgetAll() {
  await self.offline.forgetLetters();
  await self.offline.forgetPages();
}

async function takeOver() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
  if (await self.offline.currentReader()) await self.offline.keepOfflinePage();
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const way = chooseWay(event.request);
  if (way) event.respondWith(way(event));
});
self.addEventListener("message", (event) => {
  const { data, source } = event;
  if (data?.keep && data.keep === source?.url) event.waitUntil(self.offline.keepOpenPage(data));
  if (data?.frame && data.frame === source?.url) event.waitUntil(self.offline.tellFrame(source, data.frame));
});
self.addEventListener("push", (event) => event.waitUntil(show(event)));
self.addEventListener("notificationclick", (event) => event.waitUntil(answer(event)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(resubscribe(event)));
