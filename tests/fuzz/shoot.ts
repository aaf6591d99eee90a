/** Sends requests, some at the same time, and lists the forbidden answers. */
import { itemAt } from "#domain/required.ts";
import type { FuzzRequest } from "./requests.ts";

type Target = { url: string; cookies: readonly string[]; patienceMs: number };

const AT_ONCE = 8;

export async function shoot(all: readonly FuzzRequest[], target: Target): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const shooter = async () => {
    for (let i = next++; i < all.length; i = next++) {
      const fault = await judge(itemAt(all, i), target, itemAt(target.cookies, i % target.cookies.length));
      if (fault) wrong.push(`request ${i}, ${itemAt(all, i).call}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, shooter));
  return wrong;
}

async function judge(
  request: FuzzRequest,
  { url, patienceMs }: Target,
  cookie: string,
): Promise<string | null> {
  const { path, method, body, headers } = request;
  const described = `${path.slice(0, 300)} with ${String(body).slice(0, 300)}`;
  try {
    const response = await fetch(url + path, {
      method,
      body: body as BodyInit | undefined,
      headers: { ...headers, Cookie: cookie },
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const unavailable = response.status === 503 && request.mayBeUnavailable;
    if (response.status >= 500 && !unavailable)
      return `${response.status} to ${described}: ${text.slice(0, 200)}`;
    return response.status >= 400 && !request.isPage ? faultOfRefusal(text, described) : null;
  } catch (error) {
    return `${(error as Error).name} at ${described}`;
  }
}

function faultOfRefusal(text: string, described: string): string | null {
  try {
    return typeof JSON.parse(text).error === "string"
      ? null
      : `no error in ${text.slice(0, 200)} to ${described}`;
  } catch {
    return `no JSON but ${text.slice(0, 200)} to ${described}`;
  }
}
