import { WIDGET_FRAME_ORIGIN } from "#app/web/session/login-widget.ts";

type PolicyOptions = { nonce: string; widget: boolean };
type Directives = Record<string, string>;

const BASE: Directives = {
  "default-src": "'none'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "font-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "frame-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

/**
 * The policy of one page. The messenger's widget is a foreign script that frames its own site, so only the page with the widget allows that
 * frame and goes without Trusted Types.
 */
export function createContentPolicy({ nonce, widget }: PolicyOptions): string {
  const directives: Directives = {
    ...BASE,
    "script-src": `'nonce-${nonce}' 'strict-dynamic'`,
    // The editor writes its styles into elements that carry the page's nonce.
    "style-src": `'self' 'nonce-${nonce}'`,
    ...(widget
      ? { "frame-src": `'self' ${WIDGET_FRAME_ORIGIN}` }
      : { "require-trusted-types-for": "'script'" }),
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}
