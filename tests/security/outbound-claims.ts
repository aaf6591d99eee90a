import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCodehost } from "#app/codehost/codehost.ts";
import { createExplainer } from "#app/explain/explainer.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createOutbound, isOutboundUrl, type Resolve } from "#platform/outbound/outbound.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { createPushSender } from "#platform/outbound/web-push.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { serve } from "#tests/support/serve.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import type { Visitor } from "#tests/support/web.ts";
import { runGit } from "#worker/mirror/git.ts";
import { prepareRemote } from "#worker/mirror/remote.ts";
import type { Scene } from "./scene.ts";

/** Non-public addresses, by kind. */
const PRIVATE: Record<string, readonly string[]> = {
  "private networks": ["10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1", "100.64.0.1"],
  "this machine": [
    ...["127.0.0.1", "127.1.2.3", "0.0.0.0", "[::1]", "[::]", "localhost", "a.localhost", "LOCALHOST."],
  ],
  "the link": ["169.254.169.254", "169.254.1.1", "[fe80::1]"],
  "IPv6 of a site": ["[fc00::1]", "[fd12:3456::1]", "[fec0::1]"],
  "IPv4 inside IPv6": [
    ...["[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
    ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]"],
    ...["[2002:a00:1::1]", "[2001:0:7f00:1::1]", "[2001:db8::1]"],
  ],
  "other ways to write a number": [
    ...["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.1"],
    ...["0300.0250.0.1", "0xc0a80101", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1"],
  ],
  "names of the inside": [
    "intranet",
    "printer.local",
    "metadata.google.internal",
    "router.home.arpa",
    "kubernetes",
  ],
  "multicast and the rest": ["224.0.0.1", "255.255.255.255", "198.18.0.1", "203.0.113.1", "[ff02::1]"],
};
const toUrls = (host: string) => [`https://${host}`, `https://${host}:8443`, `http://${host}`];
/** A public name that resolves to these when it is connected to. */
const REBOUND = [
  ...["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1", "64:ff9b::7f00:1"],
];

const resolveTo =
  (address: string): Resolve =>
  (_hostname, _options, answer) =>
    answer(null, [{ address, family: address.includes(":") ? 6 : 4 }]);

export const vapid = { ...generateVapidPair(), subject: "mailto:a@example.com" };
let dana: Visitor;
const service = await openPushService(vapid.publicKey);
const lines: string[] = [];
const threads = createThreadPool();
const log = createLog({ process: "web", level: "debug", write: (line) => lines.push(line) });

const { keys } = service.browser("table").subscription;
const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) });

type Outcome = "refused" | "went out";
/** The caller's log has the code by which an address was refused. */
async function refusedInLog(ask: () => Promise<unknown>): Promise<Outcome> {
  const before = lines.length;
  const answer = await ask();
  const refused = lines.slice(before).some((line) => line.includes("address_refused"));
  return isRefusal(answer as never) && refused ? "refused" : "went out";
}

/** How each part of the product handles a person's address, up to the opening of a socket. */
const PARTS: Record<string, (url: string, resolve?: Resolve) => Promise<Outcome>> = {
  "a device that wants to be reminded": async (endpoint) => {
    const response = await dana.ask("/api/push/subscribe", post({ endpoint, keys }));
    return (await response.json()).error === "endpoint_not_allowed" ? "refused" : "went out";
  },
  "a message to a device": async (endpoint, resolve) => {
    const outbound = createOutbound({ allowLoopback: false }, resolve);
    const send = createPushSender({ vapid, outbound, timeoutMs: 500, clock: systemClock });
    const outcome = await send({ endpoint, ...keys }, { text: "x", topic: "x" });
    outbound.close();
    // An address without an origin cannot even be signed for.
    const refusals = ["address_refused", "unusable_keys"];
    return "error" in outcome && refusals.includes(outcome.error) ? "refused" : "went out";
  },
  "a mirror to be made": async (url) => {
    const response = await dana.ask("/api/repos", post({ url: `${url}/a/b.git` }));
    const { error } = await response.json();
    return ["repo_url_not_allowed", "repo_url_not_public"].includes(error) ? "refused" : "went out";
  },
  "a mirror that is fetched": async (url, resolve) => {
    const lookUp = async (host: string) =>
      new Promise<{ address: string }[]>((resolveWith) =>
        (resolve ?? resolveTo("1.1.1.1"))(host, { all: true }, (_, all) => resolveWith(all)),
      );
    try {
      await prepareRemote(`${url}/a/b.git`, null, { allowLocal: false, lookUp });
      return "went out";
    } catch (error) {
      return (error as { code?: string }).code === "address_refused" ? "refused" : "went out";
    }
  },
  "the model that explains": async (url, resolve) => {
    const provider = { url: `${url}/v1/messages`, key: "k", model: "m" };
    const explainer = createExplainer({
      threads,
      provider,
      allowLoopback: false,
      log,
      clock: systemClock,
      timeoutMs: 500,
      resolve,
    });
    const outcome = await refusedInLog(() =>
      explainer.explain({ text: `x ${url}`, language: null, question: null }, "en", "owner"),
    );
    explainer.close();
    return outcome;
  },
  "the code host": async (apiUrl, resolve) => {
    const codehost = createCodehost({ apiUrl, allowLocal: false, log, timeoutMs: 500, resolve });
    const outcome = await refusedInLog(() => codehost.rateLimit("token"));
    codehost.close();
    return outcome;
  },
};
/** Parts that only store an address resolve its name when it is used. */
const KEEPERS = ["a device that wants to be reminded", "a mirror to be made"];
const USERS = Object.entries(PARTS).filter(([name]) => !KEEPERS.includes(name));

/**
 * Modules that may use the network: three listen or read the peer's address, one serves files by a type of it, two judge addresses, one
 * sends requests.
 */
const KNOWING = [
  ...["app/dav/answers.ts", "app/server.ts", "app/web/answers/static-files.ts"],
  ...["app/web/door/client-network.ts", "app/web/door/listen.ts", "app/web/door/orderly-close.ts"],
  ...["app/web/door/slow-clients.ts", "platform/outbound/outbound.ts", "platform/outbound/public-address.ts"],
  "worker/mirror/remote.ts",
];
const NETWORK = /\bfetch\(|from "node:(https?|http2|dns(\/promises)?|net|tls|dgram)"/;
/** Code outside of the server: the embedded databases, the command line and the browser. */
const ELSEWHERE = /^(db\/(engine|local)|app\/(command-line|enhance))\//;

export function outboundClaims({ web }: Scene): void {
  beforeAll(async () => {
    dana = await web.visitor().logIn("8300");
  });
  afterAll(() => service.close());

  it.each(Object.entries(PRIVATE))("the shared rule accepts no URL that leads to %s", (_, hosts) => {
    for (const url of hosts.flatMap(toUrls))
      expect(isOutboundUrl(url, { allowLoopback: false }), url).toBe(false);
  });

  describe.each(Object.entries(PARTS))("%s", (part, use) => {
    it.each(Object.entries(PRIVATE))("never leads to %s", async (kind, hosts) => {
      const urls = hosts.flatMap(toUrls);
      for (const url of drawCases(`${part} ${kind}`, urls, Math.ceil(urls.length / 4)))
        expect(await use(url), url).toBe("refused");
    });

    it("goes over nothing but https, and names nobody", async () => {
      for (const url of [
        "http://example.com",
        "ftp://example.com",
        "https://user:word@example.com",
        "gopher://example.com",
        "file:///etc",
      ])
        expect(await use(url), url).toBe("refused");
    });
  });

  describe.each(USERS)("%s", (_, use) => {
    it("resolves a name when it is used, and connects to nothing private", async () => {
      for (const address of REBOUND)
        expect(await use("https://push.example.com", resolveTo(address)), address).toBe("refused");
    });
  });

  describe("a redirect to a private address", () => {
    const requests: string[] = [];

    it("is followed by nobody", async () => {
      const url = await serve((request, response) => {
        requests.push(required(request.url));
        response.writeHead(request.url === "/inside" ? 200 : 307, { Location: `${url}/inside` }).end();
      });
      const outbound = createOutbound({ allowLoopback: true });
      const send = createPushSender({ vapid, outbound, timeoutMs: 2_000, clock: systemClock });
      const provider = { url: `${url}/model`, key: "k", model: "m" };
      const explainer = createExplainer({ threads, provider, allowLoopback: true, log, clock: systemClock });
      const codehost = createCodehost({ apiUrl: `${url}/host`, allowLocal: true, log });
      const mirror = `${url}/mirror.git`;
      const fetched = runGit({
        ...(await prepareRemote(mirror, null, { allowLocal: true })),
        cwd: tmpdir(),
        args: ["ls-remote", "--", mirror],
        timeoutMs: 20_000,
        maxFileBytes: 1_000_000,
        signal: new AbortController().signal,
      });

      await expect(fetched).rejects.toMatchObject({ code: "moved" });
      await send({ endpoint: `${url}/push`, ...keys }, { text: "x", topic: "x" });
      await explainer.explain({ text: "x", language: null, question: null }, "en", "owner");
      await codehost.rateLimit("token");

      const mirrorAsked = "/mirror.git/info/refs?service=git-upload-pack";
      expect(requests).toEqual([mirrorAsked, "/push", "/model", "/host/rate_limit"]);
      outbound.close();
      explainer.close();
      codehost.close();
    });
  });

  describe("the table", () => {
    it("names every way out: nothing else uses the network", () => {
      const sources = ["app", "worker", "db", "domain", "platform"].flatMap((room) =>
        readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" }).map(
          (name) => `${room}/${name}`,
        ),
      );
      const knowing = sources
        .filter((name) => /\.tsx?$/.test(name) && !ELSEWHERE.test(name))
        .filter((name) => NETWORK.test(readFileSync(join(PROJECT_ROOT, name), "utf8")));
      expect(knowing.sort()).toEqual(KNOWING);
    });

    it("lets public addresses through", async () => {
      expect(isOutboundUrl("https://push.example.com/x", { allowLoopback: false })).toBe(true);
      for (const name of KEEPERS)
        expect(await required(PARTS[name])("https://push.example.com/x"), name).toBe("went out");
    });
  });
}
