/** Starts the provider of `oidc-server.ts`, and goes through its pages as a browser. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { required } from "#domain/required.ts";
import type { OidcTold } from "#tests/support/sign-in/oidc-server.ts";

export async function openOidcPeer() {
  const child = fork(fileURLToPath(new URL("./oidc-server.ts", import.meta.url)), {
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  afterAll(() => void child.kill("SIGKILL"));
  const [{ issuer }] = (await once(child, "message")) as [{ issuer: string }];
  const tell = async (instructions: OidcTold) => {
    const heard = once(child, "message");
    child.send(instructions);
    await heard;
  };
  return {
    issuer,
    tell,
    stop: () => child.kill("SIGKILL"),
    variables: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "codeshelf",
      OIDC_CLIENT_SECRET: "a secret of the client",
      OIDC_NAME: "Example ID",
    },
  };
}

/** Signs in at the provider with a new browser, and returns the address of its redirect. */
export async function passProvider(authorizationUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(authorizationUrl);
  let url = new URL(authorizationUrl);
  for (let hops = 0; hops < 10 && url.origin === origin; hops += 1) {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const response = await fetch(url, { redirect: "manual", headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("Location");
    if (!location)
      throw new Error(`The provider stopped: ${response.status} ${(await response.text()).slice(0, 300)}`);
    url = new URL(required(location), url);
  }
  return url;
}
