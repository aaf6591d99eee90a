/**
 * Keeps the pages a person opened last, for reading without a network, and answers with them when there is none. Pages of one
 * person at a time: every page says whose it is, and what belonged to anybody else is gone before it is kept. The network is
 * always asked first; a kept page carries the moment it was kept, which the page itself then tells.
 */

/** Pages that can be read offline. Administration, settings and shares are never kept. */
const KEPT = [
  /^\/(file|md|svg|edit|boards)\/[^/]+$/,
  /^\/note\/[^/]+\/edit$/,
  /^\/(notes|boards|upload|notes\/new)$/,
];
const OFFLINE = "/offline";
/** The page after a log-out without a network. It is rendered for nobody, so it may stay after the log-out. */
const LEFT = "/offline?left";
const PAGES = "pages:";
const ASSETS = "assets";
const LEAVING = "leaving";
const NOBODY = "nobody";
const PAGES_MAX = 60;
const ASSETS_MAX = 200;
const PAGE_MAX_CHARACTERS = 4_000_000;

/** Counts log-outs: a page that was asked for before one is not kept after it. */
let leavings = 0;
/** One change of what is kept at a time. */
let turn = Promise.resolve();

/** The address without what only marks a part of its page. */
function toPageAddress(url) {
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of ["L", "run"]) searchParams.delete(name);
  const search = searchParams.toString();
  return origin + pathname + (search && `?${search}`);
}

const isKept = (url) => KEPT.some((path) => path.test(new URL(url).pathname));

/** A page that was fetched before anybody asked for it. It asks to be kept when it is shown. */
const UNSEEN = /<body[^>]* data-early=/;
const UNAVAILABLE = 503;

/** Pages inside the frame of a person who is logged in. Other pages are never shown in it, even if they are slow. */
const FRAMED = [
  /^\/(dashboard|files|search|notes|boards|reminders|repos|shares|trash|upload|settings|admin)(\/|$)/,
  /^\/(file|md|svg|edit)\/[^/]+(\/|$)/,
];
const FRAME = "/frame";
/** After this wait the frame is shown until the page comes. */
const SLOW_MS = 500;
/** How long a page that has come waits for its frame to open it. */
const OPENED_WITHIN_MS = 5_000;

/** Pages whose frame is shown, by their address, until they are opened. */
const awaited = new Map();
/** True once the frame was checked since this worker started: a new release has another frame. */
let isFrameCurrent = false;

/**
 * A page that is slow to come has its frame shown at once, which opens the page when it has come. The page is asked for once. The frame says
 * nothing of any person; a log-out drops it and what comes after. A part of a page that the browser scrolls to is not shown so.
 */
async function answerPage(event) {
  const { url } = event.request;
  const come = takeAwaited(url);
  if (come) return come;
  const answer = findPage(event);
  const frame = isFramed(event.request) && (await findFrame());
  if (!frame) return answer;
  const first = await Promise.race([answer, wait(SLOW_MS)]);
  if (first) return first;
  event.waitUntil(holdFor(url, answer));
  return frame;
}

const isFramed = ({ url, isHistoryNavigation, isReloadNavigation }) =>
  !isHistoryNavigation &&
  !isReloadNavigation &&
  !url.includes("#") &&
  FRAMED.some((path) => path.test(new URL(url).pathname));

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function findFrame() {
  return (await currentReader()) && caches.match(FRAME, { cacheName: FRAME, ignoreVary: true });
}

async function holdFor(url, answer) {
  const held = { answer, begun: leavings };
  awaited.set(url, held);
  await answer;
  await wait(OPENED_WITHIN_MS);
  await self.registration.navigationPreload?.enable();
  if (awaited.get(url) === held) awaited.delete(url);
}

function takeAwaited(url) {
  const held = awaited.get(url);
  awaited.delete(url);
  return held?.begun === leavings ? held.answer : null;
}

/** Tells a frame that its page has come. A restarted worker waits for none, and the frame then opens the page by itself. */
async function tellFrame(frame, url) {
  const held = awaited.get(url);
  await held?.answer;
  // Else the browser would ask for the page again by itself while this worker hands it over.
  if (held) await self.registration.navigationPreload?.disable();
  frame.postMessage({ arrived: url });
}

async function keepFrame() {
  if (!(await currentReader())) return;
  isFrameCurrent = true;
  const answer = await fetch(FRAME, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok) return;
  await keepAssets(await answer.clone().text());
  await (await caches.open(FRAME)).put(FRAME, answer);
}

/**
 * A page from the network, or else as it was kept, or else the page that says what there is. A server that cannot answer now, because
 * its database changes its primary or it has too much to do, is answered for in the same way.
 */
async function findPage(event) {
  const begun = leavings;
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.status === UNAVAILABLE) return (await keptPage(event.request.url)) ?? answer;
    event.waitUntil(learn(event.request.url, answer.clone(), begun));
    return answer;
  } catch {
    return (await keptPage(event.request.url)) ?? (await offlinePage());
  }
}

async function keptPage(url) {
  const pages = await currentPages();
  return pages?.match(toPageAddress(url), { ignoreVary: true });
}

async function offlinePage() {
  return (await keptPage(offlineUrl())) ?? Response.error();
}

async function currentPages() {
  const name = await currentName();
  return name && caches.open(name);
}

async function currentName() {
  return (await caches.keys()).find((name) => name.startsWith(PAGES));
}

/** The reader whose pages are kept here; null if there is none. */
async function currentReader() {
  const reader = (await currentName())?.slice(PAGES.length);
  return reader === undefined || reader === NOBODY ? null : reader;
}

/** Asks the server whether a person is logged in. A page is not asked, because that would use up the message for the next page. */
async function isLoggedIn() {
  const answer = await fetch("/api/me", { headers: { Accept: "application/json" }, cache: "no-store" });
  return (await answer.json()).authenticated;
}

/** Follows who is logged in, and keeps the page if it is one to keep. */
function learn(url, answer, begun) {
  turn = turn
    .then(async () => {
      const reader = answer.headers.get("X-Reader");
      if (!reader || begun !== leavings) return;
      await settleOn(reader);
      if (!isFrameCurrent) await keepFrame();
      if (reader !== NOBODY && answer.status === 200 && !answer.redirected && isKept(url))
        await keep(url, answer);
    })
    .catch(() => undefined);
  return turn;
}

async function settleOn(reader) {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  const own = PAGES + reader;
  await Promise.all(names.filter((name) => name !== own).map((name) => caches.delete(name)));
  const pages = await caches.open(own);
  // Also where it could not be fetched when the person was first met.
  if (!(await pages.match(offlineUrl(), { ignoreVary: true }))) await keepOfflinePage();
}

const offlineUrl = () => new URL(OFFLINE, self.location.origin).href;

/** Again whenever its words may have changed: with the person, the language or this worker. */
async function keepOfflinePage() {
  const url = offlineUrl();
  const answer = await fetch(url, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok) return;
  const language = /<html lang="([^"]*)/.exec(await answer.clone().text())?.[1] ?? "en";
  await keep(url, answer);
  await keepFrame();
  await keepLeftPage(language);
}

/** Asked for without cookies, in the language of the pages. */
async function keepLeftPage(language) {
  const headers = { Accept: "text/html", "Accept-Language": language };
  const answer = await fetch(LEFT, { headers, credentials: "omit", cache: "no-cache" });
  if (!answer.ok) return;
  const html = await answer.clone().text();
  await keepAssets(html);
  await (await caches.open(LEAVING)).put(LEFT, answer);
}

async function leftPage() {
  return (await caches.match(LEFT)) ?? Response.error();
}

/** A page that is kept has what it needs: its scripts and styles are kept before it. */
async function keep(url, answer) {
  const html = await answer.text();
  const pages = await currentPages();
  if (!pages || html.length > PAGE_MAX_CHARACTERS || UNSEEN.test(html)) return;
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const moment = new Date().toISOString();
  headers.set("X-Kept-At", moment);
  headers.set("X-Kept-Title", encodeURIComponent(/<title>([^<]*)/.exec(html)?.[1] ?? ""));
  await keepAssets(html);
  const address = toPageAddress(url);
  await pages.delete(address);
  await pages.put(address, new Response(html.replace("<body", `<body data-kept="${moment}"`), { headers }));
  await prune(pages, PAGES_MAX);
}

async function keepAssets(html) {
  const assets = await caches.open(ASSETS);
  const paths = new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path));
  for (const path of paths) if (!(await assets.match(path))) await assets.add(path).catch(() => undefined);
  await prune(assets, ASSETS_MAX);
}

async function prune(cache, max) {
  const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== OFFLINE);
  await Promise.all(kept.slice(0, Math.max(0, kept.length - max)).map((request) => cache.delete(request)));
}

/** Built files have a hash in their names, so one name always has the same text. */
async function answerAsset(request) {
  const assets = await caches.open(ASSETS);
  const kept = await assets.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await assets.put(request, answer.clone());
  return answer;
}

/** Everything that was kept of anybody. */
async function forgetPages() {
  leavings += 1;
  awaited.clear();
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES) || name === FRAME);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * A page that was there before this worker was asks to be kept too, and so does one that came before anybody asked for it, whose reader is
 * known. Of any other kind only the reader is learned: GET would count as a look.
 */
async function keepOpenPage({ keep: url, isKnown }) {
  if (isKnown && !isKept(url)) return;
  const begun = leavings;
  const answer = await fetch(url, {
    method: isKept(url) ? "GET" : "HEAD",
    headers: { Accept: "text/html" },
  });
  await learn(url, answer, begun);
}

Object.assign(self.offline, {
  answerPage,
  answerAsset,
  offlinePage,
  leftPage,
  isLoggedIn,
  currentReader,
  forgetPages,
  keepOfflinePage: () => {
    turn = turn.then(keepOfflinePage).catch(() => undefined);
    return turn;
  },
  keepOpenPage,
  tellFrame,
});
