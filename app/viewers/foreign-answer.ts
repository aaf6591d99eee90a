// If the sanitiser ever missed something, the browser would still run, fetch, submit and open nothing.
const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

// The page's own scripts run in an opaque origin without cookies and can make no requests. Only WebRTC is left, because no browser obeys a
// policy for it.
const RUNNING_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  ...["img-src", "font-src", "media-src"].map((kind) => `${kind} data:`),
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Answers with foreign content as a document; the other headers are set for every answer. */
export function answerForeign(body: string, type: "text/html" | "image/svg+xml"): Response {
  return answerWith(body, type, POLICY);
}

export function answerRunningPage(body: string): Response {
  return answerWith(body, "text/html", RUNNING_POLICY);
}

function answerWith(body: string, type: string, policy: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
    },
  });
}
