// Even if the sanitiser let something through, a browser runs, fetches, submits and opens nothing of it.
const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

// Scripts of the page itself run, in an origin of their own that has no cookies, and can make no requests. WebRTC alone is left: no
// browser has a policy that it obeys.
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

/** Foreign content as a document of its own; what every such answer carries besides is set at the door. */
export function foreignAnswer(body: string, type: "text/html" | "image/svg+xml"): Response {
  return answerWith(body, type, POLICY);
}

/** A page of HTML as its author wrote it, which runs. */
export function runningPageAnswer(body: string): Response {
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
