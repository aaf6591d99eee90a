/** The web process as the world meets it: behind one proxy that ends https. */
import { openTestWeb, type TestWeb, Visitor } from "#tests/support/web.ts";

const SECURE = { "X-Forwarded-Proto": "https" };

class SecureVisitor extends Visitor {
  override ask(path: string, init: Parameters<Visitor["ask"]>[1] = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(SECURE)) headers.set(name, value);
    return super.ask(path, { ...init, headers });
  }
}

export async function openSecureWeb(variables: Record<string, string> = {}): Promise<TestWeb> {
  const web = await openTestWeb({
    TRUST_PROXY: "1",
    RATE_LIMIT_WRITES_PER_MINUTE: "100000",
    RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
    ...variables,
  });
  return { ...web, visitor: () => new SecureVisitor(web.url, web.clock) };
}
