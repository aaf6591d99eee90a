import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { type Page, PageContext, type Person } from "#app/page-context.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { matchesEtag } from "#app/web/answers/etag.ts";
import { recordFault } from "#app/web/answers/faults.server.ts";
import { answerParts } from "#app/web/answers/parts.ts";
import {
  createNonce,
  fillPage,
  LARGE_PLACE,
  NONCE_PLACE,
  type RenderedPage,
  RenderedPageCache,
  toRenderedPage,
} from "#app/web/answers/rendered-page-cache.ts";
import { toRetryHeaders } from "#app/web/answers/replies.server.ts";
import { createContentPolicy } from "#app/web/door/content-policy.ts";
import { hasWidget } from "#app/web/session/login-widget.ts";
import { createReaderMark, setReaderHeader } from "#app/web/session/reader.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { countDueReminders } from "#db/reminders/note-reminders.server.ts";
import { canRunCode } from "#domain/accounts/role.ts";
import { Refusal, type RefusalCode, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { toFields } from "#domain/typed-keys.ts";

type RouteError = { status: number; data: unknown };

/** Answers every document request: with a page for a navigation, with the thrown response as JSON for other callers. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const error = findFirstError(remix);
  const retryHeaders = toRetryHeaders(toFields(error?.data));
  if (error && !wantsPage(request.headers.get("Accept"))) return answerProgram(error, retryHeaders);
  for (const [name, value] of Object.entries(retryHeaders)) headers.set(name, value);

  const page = await buildPage(remix, context);
  setReaderHeader(headers, page.person);
  const isRead = status === 200 && (request.method === "GET" || request.method === "HEAD");
  if (!isRead) return answerPage(toRenderedPage(render(request, remix, page)), status, headers, context);
  const rendered = memory.getOrRender(
    toCacheKey(request, remix, page),
    context.services.clock().getTime(),
    () => render(request, remix, page),
  );
  headers.set("ETag", rendered.etag);
  if (matchesEtag(request.headers.get("If-None-Match"), rendered.etag)) return answerUnchanged(headers);
  return answerPage(rendered, status, headers, context);
}

const memory = new RenderedPageCache();

function render(request: Request, remix: EntryContext, page: Page): string {
  const markup = renderToString(
    <PageContext.Provider value={page}>
      <RemixServer context={remix} url={request.url} />
    </PageContext.Provider>,
  );
  return `<!DOCTYPE html>${markup}`;
}

/** Joins everything that a page depends on. The request id is left out, because only error pages show it. */
function toCacheKey(request: Request, remix: EntryContext, page: Page): string {
  return JSON.stringify([request.url, remix.staticHandlerContext.loaderData, { ...page, requestId: "" }]);
}

/** A success that a loader or action throws to a program (see replies.server.ts) is of one moment. */
const answerProgram = ({ status, data }: RouteError, retryHeaders: Record<string, string>) =>
  Response.json(data, {
    status,
    headers: status < 400 ? { "Cache-Control": "private, no-store" } : retryHeaders,
  });

/** Remix calls this when a page cannot be rendered; route-handler.ts records the faults of loaders and actions. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  recordFault(context, request.method, error);
}

/** Returns the first error of the request. Errors that Remix raises itself, such as an unknown address, become refusals. */
function findFirstError(remix: EntryContext): RouteError | undefined {
  const [error] = Object.values(remix.staticHandlerContext.errors ?? {});
  if (!error) return undefined;
  if (!isRouteErrorResponse(error)) return toRouteError("internal");
  const isOurs = typeof error.data === "object" && error.data !== null;
  return isOurs ? error : toRouteError(error.status === 404 ? "not_found" : "invalid_payload");
}

function toRouteError(code: RefusalCode): RouteError {
  const refusal = Refusal(code);
  return { status: refusalStatus(refusal), data: refusalBody(refusal) };
}

/** Reads the data of the page's frame. If the store fails, the person is undefined, which pages without an account tolerate. */
async function buildPage(remix: EntryContext, context: AppLoadContext): Promise<Page> {
  const { module, imports } = remix.manifest.entry;
  const anonymous = context.claimedUserId === null ? null : undefined;
  const signedIn = context.refusal ? anonymous : await context.session.signedIn().catch(() => undefined);
  return {
    locale: await context.locale(),
    theme: context.theme,
    reading: context.reading,
    nonce: NONCE_PLACE,
    now: Math.floor(context.services.clock().getTime() / MINUTE_MS) * MINUTE_MS,
    requestId: context.requestId,
    isSending: context.isSending,
    early: context.early,
    person: signedIn && (await describePerson(context, signedIn)),
    ...(signedIn ? await findGreetings(context, signedIn) : { announcement: null, welcome: null }),
    flash: context.session.takeFlash(),
    script: { src: module, preloads: imports },
    largePlace: LARGE_PLACE,
  };
}

async function findGreetings(
  { services }: AppLoadContext,
  { user, role }: SignedIn,
): Promise<Pick<Page, "announcement" | "welcome">> {
  const { localSignIn, codeExecutionEnabled } = services.env;
  const announcement = await services.announcement.current();
  const dismissed = announcement && user.dismissed_announcements?.includes(announcement.id);
  return {
    announcement: dismissed ? null : announcement,
    welcome: user.has_seen_welcome_modal
      ? null
      : { sample: localSignIn, run: codeExecutionEnabled && canRunCode(role) },
  };
}

async function describePerson(
  { services: { db, clock, env } }: AppLoadContext,
  { user, role }: SignedIn,
): Promise<Person> {
  const { id, first_name, timezone, keyboard_shortcuts: shortcuts = true } = user;
  // If the count fails, the page is shown without it.
  const due = await countDueReminders(db, id, clock()).catch(() => 0);
  return { reader: createReaderMark(env.sessionSecret, id), first_name, role, timezone, shortcuts, due };
}

/** Answers 304 without a content policy, because a new nonce would not fit the cached page. */
function answerUnchanged(headers: Headers): Response {
  setCaching(headers);
  return new Response(null, { status: 304, headers });
}

function answerPage(page: RenderedPage, status: number, headers: Headers, context: AppLoadContext): Response {
  const { env } = context.services;
  const nonce = createNonce();
  const widget = context.policy.loginWidget === true && hasWidget(env);
  setCaching(headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", createContentPolicy({ nonce, widget }));
  return answerParts(fillPage(page, nonce, context.largeHtml), { status, headers });
}

function setCaching(headers: Headers): void {
  headers.set("Cache-Control", headers.get("Cache-Control") ?? "private, no-cache");
  headers.set("Vary", "Accept, Accept-Language, Cookie");
}
