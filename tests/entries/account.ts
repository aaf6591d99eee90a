/** Accounts, and pages that everybody sees. */
import { INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { type Entry, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const ACCOUNT_API: readonly Entry[] = [
  { call: "GET /api/me", door: "anyone", without: NOTHING },
  { call: "GET /api/openapi.json", door: "anyone", without: NOTHING },
  { call: "GET /api/stats", door: "person", without: SHORT },
  { call: "POST /api/welcome/ack", door: "person", without: NOTHING },
  { call: "GET /api/v1/announcements/active", door: "person", without: SHORT },
  {
    call: "POST /api/v1/announcements/:announcement_id/dismiss",
    door: "person",
    needs: "announcement",
    answersAbsent: ["announcement_id"],
    without: NOTHING,
  },
  // Nothing to tell of an empty library.
  { call: "GET /api/agent/primer", door: "person", ok: [200, 204], shows: ["instructions"] },
];

export const ACCOUNT_PAGES: readonly Entry[] = [
  { call: "GET /", door: "anyone", without: NOTHING },
  { call: "GET /login", door: "anyone", ok: [200, 302], takes: { next: URL_LENGTH } },
  // The local sign-in, which is not there in production.
  {
    call: "POST /login",
    door: "anyone",
    form: () => ({ person: "localAdmin" }),
    ok: 404,
    takes: { person: WORD, code: WORD },
  },
  { call: "GET /offline", door: "anyone", without: NOTHING },
  { call: "GET /frame", door: "anyone", without: NOTHING },
  { call: "GET /manifest.webmanifest", door: "anyone", without: NOTHING },
  { call: "GET /api-docs", door: "person", without: NOTHING },
  {
    call: "POST /preferences",
    door: "anyone",
    form: () => ({ theme: "dark" }),
    ok: 303,
    takes: { locale: WORD, theme: WORD, timezone: WORD, next: URL_LENGTH },
  },
  // No provider is set up: it leads on to the login, or to where somebody is already.
  { call: "GET /auth/oidc", door: "anyone", ok: 302, takes: { next: URL_LENGTH, join: WORD } },
  { call: "GET /auth/oidc/callback", door: "anyone", ok: 302, takes: { state: WORD, code: WORD } },
  { call: "GET /auth/oidc/logout", door: "anyone", ok: 302, without: NOTHING },
  // No such invitation: it leads to the login, which says so.
  { call: "GET /invitations/:token", door: "anyone", ok: 302, takes: { token: WORD } },
  // This installation is known by an address without a name, so no passkeys are offered.
  { call: "GET /auth/passkey", door: "anyone", ok: 404, without: NOTHING },
  {
    call: "POST /auth/passkey",
    door: "anyone",
    form: () => ({ credential: "{}" }),
    ok: 404,
    takes: { credential: 8_000, next: URL_LENGTH },
  },
  {
    call: "GET /auth/messenger",
    door: "anyone",
    ok: 401,
    takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD },
  },
  {
    call: "POST /auth/messenger",
    door: "anyone",
    form: () => ({}),
    ok: 401,
    takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD },
  },
  { call: "GET /help/shortcuts", door: "person", without: NOTHING },
  { call: "GET /settings", door: "person", shows: ["instructions"] },
  {
    call: "POST /settings",
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { instructions: INSTRUCTIONS_MAX_BYTES, seen: WORD },
  },
  { call: "GET /settings/tokens", door: "person", without: SHORT },
  {
    call: "POST /settings/tokens",
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { intent: WORD, name: WORD },
  },
  { call: "GET /settings/devices", door: "person", without: SHORT },
  {
    call: "POST /settings/devices",
    door: "person",
    form: () => ({ intent: "cleanup" }),
    ok: 303,
    takes: { intent: WORD, endpoint_hash: WORD },
  },
  { call: "GET /settings/feeds", door: "person", without: SHORT },
  { call: "POST /settings/feeds", door: "person", form: () => ({ intent: "make" }), takes: { intent: WORD } },
  { call: "GET /settings/sessions", door: "person", without: SHORT },
  {
    call: "POST /settings/sessions",
    door: "person",
    form: () => ({ intent: "end_others" }),
    ok: 303,
    takes: { intent: WORD, key: WORD },
  },
  { call: "GET /settings/sign-in", door: "person", without: SHORT },
  {
    call: "POST /settings/sign-in",
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { intent: WORD, key: WORD, name: WORD, credential: 60_000 },
  },
  { call: "GET /settings/export", door: "person", without: SHORT },
  {
    call: "POST /settings/export",
    door: "person",
    form: () => ({ intent: "drop", import_id: "none" }),
    ok: 303,
    takes: { intent: WORD, key: WORD },
  },
  { call: "GET /settings/export/zip", door: "person", shows: ["file", "notes"] },
  { call: "GET /settings/delete", door: "person", without: SHORT },
  { call: "POST /settings/delete", door: "person", form: () => ({}), ok: 400, takes: { confirmation: WORD } },
  // Last, because nobody is logged in afterwards.
  { call: "GET /logout", door: "person", ok: 302, without: NOTHING },
  { call: "POST /logout", door: "anyone", ok: 302, takes: { everywhere: WORD } },
];
