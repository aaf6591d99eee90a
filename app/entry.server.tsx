import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { wantsPage } from "#app/http/answers/accept.ts";
import { matchesEtag } from "#app/http/answers/etag.ts";
import { recordFault } from "#app/http/answers/faults.server.ts";
import {
  fillPage,
  LARGE_PLACE,
  NONCE_PLACE,
  newNonce,
  type RenderedPage,
  RenderedPageCache,
  toRenderedPage,
} from "#app/http/answers/rendered-page-cache.ts";
import { contentPolicy } from "#app/http/door/content-policy.ts";
import type { SignedIn } from "#app/http/request-context.ts";
import { hasWidget } from "#app/http/session/login-widget.ts";
import { readerMark, setReader } from "#app/http/session/reader.ts";
import { type Page, PageContext, type Person } from "#app/page-context.ts";
import { countDue } from "#db/reminders/note-reminders.server.ts";
import { mayRunCode } from "#domain/accounts/role.ts";
import { Refusal, type RefusalCode, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { fieldsIn } from "#domain/typed-keys.ts";

type RouteError = { status: number; data: unknown };

/** The end of every document request: a page for a navigation, the thrown answer as JSON for any other caller. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  if (context.answer) return context.answer;
  if (context.fault) putFault(remix, context.fault);
  const error = firstError(remix);
  const finalStatus = context.fault && error ? error.status : status;
  if (error && !wantsPage(request.headers.get("Accept")))
    return Response.json(error.data, { status: error.status, headers: waitBefore(error.data) });

  const page = await buildPage(remix, context);
  setReader(headers, page.person);
  const isRead = finalStatus === 200 && (request.method === "GET" || request.method === "HEAD");
  if (!isRead) return document(toRenderedPage(render(request, remix, page)), finalStatus, headers, context);
  const rendered = memory.recall(madeFrom(request, remix, page), context.services.clock().getTime(), () =>
    render(request, remix, page),
  );
  headers.set("ETag", rendered.etag);
  if (matchesEtag(request.headers.get("If-None-Match"), rendered.etag)) return unchanged(headers);
  return document(rendered, finalStatus, headers, context);
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

/** All that a page depends on but the minute; its request's id is shown by error pages only, and large code is named by its digest. */
function madeFrom(request: Request, remix: EntryContext, page: Page): string {
  return JSON.stringify([request.url, remix.staticHandlerContext.loaderData, { ...page, requestId: "" }]);
}

/** The route failed: leave word for the answer, and write down why. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.fault = recordFault(context, request.method, error);
}

function putFault(remix: EntryContext, code: NonNullable<AppLoadContext["fault"]>): void {
  remix.staticHandlerContext.errors = { root: { ...ownError(code), statusText: "", internal: false } };
}

/** The error to answer with, in our own words: what Remix says of an address it cannot match is put into them. */
function firstError(remix: EntryContext): RouteError | undefined {
  const [error] = Object.values(remix.staticHandlerContext.errors ?? {});
  if (!error) return undefined;
  if (!isRouteErrorResponse(error)) return ownError("internal");
  const isOurs = typeof error.data === "object" && error.data !== null;
  return isOurs ? error : ownError(error.status === 404 ? "not_found" : "invalid_payload");
}

/** A refusal that passes by itself says when, in its body and in the header for it. */
function waitBefore(data: unknown): Record<string, string> {
  const { retry_after } = fieldsIn(data);
  return typeof retry_after === "number" ? { "Retry-After": String(retry_after) } : {};
}

function ownError(code: RefusalCode): RouteError {
  const refusal = Refusal(code);
  return { status: refusalStatus(refusal), data: refusalBody(refusal) };
}

/** A page that needs no account is made even where the store does not answer or refuses. */
async function buildPage(remix: EntryContext, context: AppLoadContext): Promise<Page> {
  const { module, imports } = remix.manifest.entry;
  const anonymous = context.claimedUserId === null ? null : undefined;
  const signedIn = context.refusal ? anonymous : await context.signedIn().catch(() => undefined);
  return {
    locale: await context.locale(),
    theme: context.theme,
    reading: context.reading,
    nonce: NONCE_PLACE,
    now: Math.floor(context.services.clock().getTime() / MINUTE_MS) * MINUTE_MS,
    requestId: context.requestId,
    isSending: context.isSending,
    person: signedIn && (await describePerson(context, signedIn)),
    ...(signedIn ? await findGreetings(context, signedIn) : { announcement: null, welcome: null }),
    flash: context.takeFlash(),
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
      : { sample: localSignIn, run: codeExecutionEnabled && mayRunCode(role) },
  };
}

/** Whoever the frame greets, and how many of their reminders are due. */
async function describePerson(
  { services: { db, clock, env } }: AppLoadContext,
  { user, role }: SignedIn,
): Promise<Person> {
  const { id, first_name, timezone, keyboard_shortcuts: shortcuts = true } = user;
  // A bell that cannot be counted for says nothing; the page is there all the same.
  const due = await countDue(db, id, clock()).catch(() => 0);
  return { reader: readerMark(env.sessionSecret, id), first_name, role, timezone, shortcuts, due };
}

/** A page that did not change is not sent again, and neither is the policy with a nonce that it does not carry. */
function unchanged(headers: Headers): Response {
  setCaching(headers);
  return new Response(null, { status: 304, headers });
}

function document(page: RenderedPage, status: number, headers: Headers, context: AppLoadContext): Response {
  const { env } = context.services;
  const nonce = newNonce();
  const widget = context.policy.loginWidget === true && hasWidget(env);
  setCaching(headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentPolicy({ nonce, widget, development: env.development }));
  // A page as a web stream costs a tenth of its request; the handler writes it to the socket itself.
  context.body = fillPage(page, nonce, context.largeHtml);
  return new Response(null, { status, headers });
}

function setCaching(headers: Headers): void {
  headers.set("Cache-Control", headers.get("Cache-Control") ?? "private, no-cache");
  headers.set("Vary", "Accept, Accept-Language, Cookie");
}
