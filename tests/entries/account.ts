/** Accounts, and pages for everybody. */
import { INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { defineEntries, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const ACCOUNT_API = defineEntries({
  "GET /api/me": { door: "anyone", without: NOTHING },
  "GET /api/openapi.json": { door: "anyone", without: NOTHING },
  "GET /api/stats": { door: "person", without: SHORT },
  "POST /api/welcome/ack": { door: "person", without: NOTHING },
  "GET /api/v1/announcements/active": { door: "person", without: SHORT },
  "POST /api/v1/announcements/:announcement_id/dismiss": {
    door: "person",
    needs: "announcement",
    answersAbsent: ["announcement_id"],
    without: NOTHING,
  },
  // An empty library has nothing to report.
  "GET /api/agent/primer": { door: "person", ok: [200, 204], shows: ["instructions"] },
});

export const ACCOUNT_PAGES = defineEntries({
  "GET /": { door: "anyone", without: NOTHING },
  "GET /login": { door: "anyone", ok: [200, 302], takes: { next: URL_LENGTH } },
  // The local sign-in, which production does not have.
  "POST /login": {
    door: "anyone",
    form: () => ({ person: "localAdmin" }),
    ok: 404,
    takes: { person: WORD, code: WORD },
  },
  "GET /offline": { door: "anyone", without: NOTHING },
  "GET /frame": { door: "anyone", without: NOTHING },
  "GET /manifest.webmanifest": { door: "anyone", without: NOTHING },
  "GET /api-docs": { door: "person", without: NOTHING },
  "POST /preferences": {
    door: "anyone",
    form: () => ({ theme: "dark" }),
    ok: 303,
    takes: { locale: WORD, theme: WORD, timezone: WORD, next: URL_LENGTH },
  },
  // No provider is configured: it redirects to the login, or past it if signed in.
  "GET /auth/oidc": { door: "anyone", ok: 302, takes: { next: URL_LENGTH, join: WORD } },
  "GET /auth/oidc/callback": { door: "anyone", ok: 302, takes: { state: WORD, code: WORD } },
  "GET /auth/oidc/logout": { door: "anyone", ok: 302, without: NOTHING },
  // No invitation has this token: it redirects to the login, which says so.
  "GET /invitations/:token": { door: "anyone", ok: 302, takes: { token: WORD } },
  // This server has an IP address and no host name, so it offers no passkeys.
  "GET /auth/passkey": { door: "anyone", ok: 404, without: NOTHING },
  "POST /auth/passkey": {
    door: "anyone",
    form: () => ({ credential: "{}" }),
    ok: 404,
    takes: { credential: 8_000, next: URL_LENGTH },
  },
  "GET /auth/messenger": {
    door: "anyone",
    ok: 401,
    takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD },
  },
  "POST /auth/messenger": {
    door: "anyone",
    form: () => ({}),
    ok: 401,
    takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD },
  },
  "GET /help/shortcuts": { door: "person", without: NOTHING },
  "GET /settings": { door: "person", shows: ["instructions"] },
  "POST /settings": {
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { instructions: INSTRUCTIONS_MAX_BYTES, seen: WORD },
  },
  "GET /settings/tokens": { door: "person", without: SHORT },
  "POST /settings/tokens": { door: "person", form: () => ({}), ok: 400, takes: { intent: WORD, name: WORD } },
  "GET /settings/devices": { door: "person", without: SHORT },
  "POST /settings/devices": {
    door: "person",
    form: () => ({ intent: "cleanup" }),
    ok: 303,
    takes: { intent: WORD, endpoint_hash: WORD },
  },
  "GET /settings/feeds": { door: "person", without: SHORT },
  "POST /settings/feeds": { door: "person", form: () => ({ intent: "make" }), takes: { intent: WORD } },
  "GET /settings/sessions": { door: "person", without: SHORT },
  "POST /settings/sessions": {
    door: "person",
    form: () => ({ intent: "end_others" }),
    ok: 303,
    takes: { intent: WORD, key: WORD },
  },
  "GET /settings/sign-in": { door: "person", without: SHORT },
  "POST /settings/sign-in": {
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { intent: WORD, key: WORD, name: WORD, credential: 60_000 },
  },
  "GET /settings/export": { door: "person", without: SHORT },
  "POST /settings/export": {
    door: "person",
    form: () => ({ intent: "drop", import_id: "none" }),
    ok: 303,
    takes: { intent: WORD, key: WORD },
  },
  "GET /settings/export/zip": { door: "person", shows: ["file", "notes"] },
  "GET /settings/delete": { door: "person", without: SHORT },
  "POST /settings/delete": { door: "person", form: () => ({}), ok: 400, takes: { confirmation: WORD } },
  // Last, because it ends the session.
  "GET /logout": { door: "person", ok: 302, without: NOTHING },
  "POST /logout": { door: "anyone", ok: 302, takes: { everywhere: WORD } },
});
