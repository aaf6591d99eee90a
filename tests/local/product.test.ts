import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "#db/local/free-port.ts";
import { type Product, startProduct } from "#tests/support/browser.ts";

/** What each process of the product is known by in the list of processes. */
const PROCESSES = {
  web: /app\/server\.ts/,
  worker: /worker\/index\.ts/,
  engine: /db\/engine\/main\.ts/,
  postgres: /postgres(\s.*)?\s-D\s/,
};
type Name = keyof typeof PROCESSES;

let product: Product;
let cookie: string;
let saved = 0;

beforeAll(async () => {
  product = await startProduct({ port: await freePort(0) });
  cookie = await signIn();
}, 180_000);
afterAll(() => product?.stop(), 60_000);

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(product.url + path, {
    redirect: "manual",
    ...init,
    headers: { Cookie: cookie ?? "", ...init.headers },
  });

/** Sends the form of the local sign-in, as a browser without JavaScript does. */
async function signIn(): Promise<string> {
  const html = await (await fetch(`${product.url}/login`, { headers: { Accept: "text/html" } })).text();
  const form = /<form[^>]*action="([^"]*auth\/messenger[^"]*)"[^>]*>(.*?)<\/form>/s.exec(html)!;
  const fields = [...form[2].matchAll(/<input[^>]*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)![1],
    /value="([^"]*)"/.exec(input)![1],
  ]);
  const answer = await fetch(product.url + form[1].replaceAll("&amp;", "&"), {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "text/html", "Sec-Fetch-Site": "same-origin" },
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  return answer.headers.getSetCookie()[0].split(";")[0];
}

async function saveFile(): Promise<void> {
  const answer = await ask(`/api/files/kept-${saved}.txt`, { method: "PUT", body: `text ${saved}` });
  expect(answer.status).toBe(201);
  saved++;
}

function descendants(): { pid: number; command: string }[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1].split(" ")[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
  const below = (pid: number): typeof all => {
    const own = all.filter(({ parent }) => parent === pid);
    return [...own, ...own.flatMap((child) => below(child.pid))];
  };
  return below(product.pid);
}

function pidOf(name: Name): number {
  const found = descendants().find(({ command }) => PROCESSES[name].test(command));
  if (!found) throw new Error(`There is no ${name} process`);
  return found.pid;
}

async function readiness(): Promise<number> {
  return (await ask("/readyz")).status;
}

// Processes are found in /proc.
describe.runIf(process.platform === "linux")("kill -9 of a process of the running product", () => {
  test.for(Object.keys(PROCESSES) as Name[])(
    "(%s) loses nothing that was saved, and it comes back by itself",
    { timeout: 60_000 },
    async (name) => {
      await saveFile();
      const pid = pidOf(name);

      process.kill(pid, "SIGKILL");
      const meanwhile = await ask("/files", { headers: { Accept: "text/html" } }).catch(() => undefined);

      if (meanwhile) {
        expect([200, 503]).toContain(meanwhile.status);
        expect(meanwhile.headers.get("Content-Type")).toContain("text/html");
        expect(await meanwhile.text()).not.toMatch(/at .*\.(ts|js):\d/);
      }
      await vi.waitFor(
        async () => {
          expect(pidOf(name)).not.toBe(pid);
          expect(await readiness()).toBe(200);
        },
        { timeout: 40_000, interval: 100 },
      );
      const { total } = await (await ask("/api/files")).json();
      expect(total).toBe(saved);
      await saveFile();
    },
  );
});
