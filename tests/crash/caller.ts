import { itemAt, required } from "#domain/required.ts";

/** One person at a product that may die at any moment. */
export type Answer = { status: number; body: Record<string, unknown> };
export type Caller = {
  url: string;
  cookie: string;
  /** Null if the connection broke before the whole answer arrived. */
  call(method: string, path: string, body?: unknown): Promise<Answer | null>;
};

// Longer than the web process waits for a database: a request that times out here has ended there.
const PATIENCE_MS = 20_000;

/** Sends the local sign-in form as a browser without JavaScript would after following the printed link. */
export async function signIn({ url, signInPath }: { url: string; signInPath: string }): Promise<Caller> {
  const html = await (await fetch(url + signInPath, { headers: { Accept: "text/html" } })).text();
  const form = required(/<form[^>]*action="([^"]*login[^"]*)"[^>]*>(.*?)<\/form>/s.exec(html));
  const fields = [...required(form[2]).matchAll(/<(?:input|button)[^>]*>/g)].map(([input]) => [
    required(required(/name="([^"]*)"/.exec(input))[1]),
    required(required(/value="([^"]*)"/.exec(input))[1]),
  ]);
  const [code, administrator] = fields;
  const answer = await fetch(url + required(form[1]).replaceAll("&amp;", "&"), {
    method: "POST",
    body: new URLSearchParams([required(code), required(administrator)]),
    headers: { Accept: "text/html", "Sec-Fetch-Site": "same-origin" },
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`The sign-in answered ${answer.status}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => itemAt(cookie.split(";"), 0));
  return createCaller(url, required(cookies.find((cookie) => cookie.startsWith("session="))));
}

export function createCaller(url: string, cookie: string): Caller {
  return {
    url,
    cookie,
    async call(method, path, body) {
      const asIs = typeof body === "string" || body instanceof URLSearchParams;
      const init: RequestInit = {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          Cookie: cookie,
          Accept: "application/json",
          ...(body === undefined || asIs ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
      };
      try {
        const answer = await fetch(url + path, init);
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      } catch {
        return null;
      }
    },
  };
}

/** True for an acknowledged write. Anything but success or a temporary refusal is a fault of the product. */
export function acknowledged(answer: Answer | null, what: string): answer is Answer {
  if (answer === null || answer.status === 503) return false;
  if (answer.status === 200 || answer.status === 201) return true;
  throw new Error(`${what} was answered with ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
}
