// Even if the sanitiser let something through, a browser runs, fetches, submits and opens nothing of it.
const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

/** Foreign content as a document of its own; what every such answer carries besides is set at the door. */
export function foreignAnswer(body: string, type: "text/html" | "image/svg+xml"): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
    },
  });
}
