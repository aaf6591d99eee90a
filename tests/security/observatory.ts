/**
 * Checks of security scanners: the rules of Mozilla's HTTP Observatory about one answer over https, under its names, and Google's
 * evaluator of content policies.
 */
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";

type Page = { headers: Headers; html: string };
type Rule = (page: Page) => boolean;

const SIX_MONTHS_SECONDS = 15_768_000;
const PRIVATE_REFERRERS = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"];

const listSources = (policy: string, directive: string): string[] => {
  const directives = new Map(
    policy.split(";").map((part) => {
      const [name = "", ...sources] = part.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  return directives.get(directive) ?? directives.get("default-src") ?? ["*"];
};

const readPolicy = ({ headers }: Page) => headers.get("Content-Security-Policy") ?? "";
const isDocument = ({ headers }: Page) => headers.get("Content-Type")?.startsWith("text/html") ?? false;
const isForeign = (page: Page) => readPolicy(page).startsWith("sandbox;");
const OPEN_SOURCE = /^(\*|https?:|data:|blob:|'unsafe-(inline|eval|hashes)'|http:.*)$/;
const isClosed = (page: Page, directive: string) =>
  !listSources(readPolicy(page), directive).some((source) => OPEN_SOURCE.test(source));

/** Scripts from other origins need an integrity hash; own scripts are named by their path. */
function foreignScripts({ html }: Page): string[] {
  return [...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="((?:https?:)?\/\/[^"]*)"[^>]*>/g)]
    .filter(([tag]) => /^<script|rel="(stylesheet|modulepreload|preload)"/.test(tag))
    .filter(([tag]) => !tag.includes("integrity="))
    .map(([tag]) => tag);
}

/** The rules under the Observatory's names, with those of its policy test spelled out. */
export const OBSERVATORY: Record<string, Rule> = {
  "content-security-policy: there is one on documents": (page) =>
    !isDocument(page) || readPolicy(page) !== "",
  "content-security-policy: nothing unless allowed": (page) =>
    !isDocument(page) || readPolicy(page).includes("default-src 'none'"),
  "content-security-policy: no unsafe or open source of scripts": (page) =>
    !isDocument(page) || isClosed(page, "script-src"),
  "content-security-policy: no unsafe source of styles": (page) =>
    !isDocument(page) || isForeign(page) || isClosed(page, "style-src"),
  "content-security-policy: no plug-ins, no base, no foreign forms": (page) =>
    !isDocument(page) ||
    isForeign(page) ||
    ["object-src", "base-uri", "form-action"].every((name) => isClosed(page, name)),
  "content-security-policy: nothing over http": (page) => !/\bhttp:/.test(readPolicy(page)),
  "cookies: secure, of this host, unread by scripts, not sent along by others": ({ headers }) =>
    headers.getSetCookie().every((cookie) => cookieFaults(cookie).length === 0),
  "cross-origin-resource-sharing: nobody else reads": ({ headers }) =>
    [...headers.keys()].every((name) => !name.startsWith("access-control-allow")),
  "cross-origin-resource-policy": ({ headers }) =>
    headers.get("Cross-Origin-Resource-Policy") === "same-origin",
  "cross-origin-opener-policy": ({ headers }) =>
    headers.get("Cross-Origin-Opener-Policy")?.startsWith("same-origin") ?? false,
  "redirection: to https or to this site": ({ headers }) =>
    /^(\/(?!\/)|$)/.test(headers.get("Location") ?? ""),
  "referrer-policy": ({ headers }) => PRIVATE_REFERRERS.includes(headers.get("Referrer-Policy") ?? ""),
  "strict-transport-security": ({ headers }) =>
    Number(/max-age=(\d+)/.exec(headers.get("Strict-Transport-Security") ?? "")?.[1]) >= SIX_MONTHS_SECONDS,
  "subresource-integrity": (page) => foreignScripts(page).length === 0,
  "x-content-type-options": ({ headers }) => headers.get("X-Content-Type-Options") === "nosniff",
  "x-frame-options, and frame-ancestors beside it": (page) =>
    ["DENY", "SAMEORIGIN"].includes(page.headers.get("X-Frame-Options") ?? "") &&
    (!isDocument(page) || /frame-ancestors '(none|self)'/.test(readPolicy(page))),
  "tells nobody what it is made with": ({ headers }) =>
    !headers.has("X-Powered-By") && !headers.has("Server"),
};

/** Faults of a cookie that is set over https. */
export function cookieFaults(cookie: string): string[] {
  const [pair = "", ...attributes] = cookie.split("; ");
  const [name = ""] = pair.split("=");
  const path = attributes.find((attribute) => attribute.startsWith("Path="));
  const wanted = path === "Path=/" ? "__Host-" : "__Secure-";
  const has = (attribute: string) => attributes.includes(attribute);
  return [
    ...(path === undefined ? [`${name} has no path`] : []),
    ...(name.startsWith(wanted) ? [] : [`${name} has no prefix`]),
    ...["HttpOnly", "Secure"].filter((attribute) => !has(attribute)).map((one) => `${name} is not ${one}`),
    ...(has("SameSite=Lax") || has("SameSite=Strict") ? [] : [`${name} is sent along by other sites`]),
    ...attributes.filter((attribute) => /^domain=/i.test(attribute)).map((one) => `${name} has a ${one}`),
  ];
}

const WORTH_A_LOOK = [Severity.HIGH, Severity.SYNTAX, Severity.MEDIUM, Severity.HIGH_MAYBE];

/** Findings that the evaluator rates high or medium. */
export function policyFindings(policy: string): string[] {
  return new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => WORTH_A_LOOK.includes(severity))
    .map(({ directive, value, description }) => `${directive} ${value ?? ""}: ${description}`);
}
