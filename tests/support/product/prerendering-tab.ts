import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { required } from "#domain/required.ts";
import { CHROMIUM_FLAGS } from "#tests/support/product/browser.ts";
import { findBrowser } from "#tests/support/programs/find-browser.ts";

/**
 * A tab of Chromium that prerenders pages as it does for people. Chromium does not prerender while Playwright is connected to a page;
 * this connects to the tab of a Chromium of its own.
 */
export type PrerenderingTab = {
  goto(url: string): Promise<void>;
  /** Evaluates an expression in the visible page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Moves the pointer to the middle of the expression's element. */
  point(expression: string): Promise<{ x: number; y: number }>;
  /** Moves the pointer to the expression's element, waits there, and clicks. */
  click(expression: string, hand?: { restMs: number; pressMs: number }): Promise<void>;
  /** Whether the tab has a prerendered page. */
  drawsEarly(): boolean;
  /** Waits until the expression is true, even if the tab changes its page. */
  waitUntil(expression: string): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  cookies?: { name: string; value: string; url: string }[];
  /** Runs first in every page, except in prerendered ones. */
  script?: string;
};

const SIZE = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false };
const WAIT_MS = 20_000;
/** A page that is replaced may never answer an earlier request. */
const ANSWER_MS = 2_000;
const LOOK_AGAIN_MS = 25;

export async function openPrerenderingTab(options: Options = {}): Promise<PrerenderingTab> {
  const profile = await mkdtemp(join(tmpdir(), "codeshelf-chromium-"));
  const flags = [...CHROMIUM_FLAGS, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const chromium = spawn(findBrowser(process.env, console.log), ["--headless=new", ...flags], {
    stdio: "ignore",
    // A process group of its own: Debian's Chromium is a script that starts it.
    detached: true,
  });
  const exited = once(chromium, "exit");
  const end = async () => {
    process.kill(-required(chromium.pid, "process of Chromium"), "SIGKILL");
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const connection = await connect(await readAddress(profile));
    return await openTab(connection, options, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** Chromium writes its port and the path of its connection to a file. */
async function readAddress(profile: string): Promise<string> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const [port, path] = await readFile(join(profile, "DevToolsActivePort"), "utf8")
      .then((text) => text.split("\n"))
      .catch(() => []);
    if (port && path) return `ws://127.0.0.1:${port}${path}`;
    if (performance.now() > until) throw new Error("Chromium does not say where it listens");
    await pause(LOOK_AGAIN_MS);
  }
}

type Answer = { result?: Record<string, unknown>; error?: { message: string } };
type Target = { targetId: string; type: string; subtype?: string };

type Connection = {
  send(method: string, params?: object, session?: string): Promise<Record<string, unknown>>;
  /** The pages of the connected tab, by session. */
  pages: Map<string, Target>;
  close(): void;
};

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const waiting = new Map<number, (answer: Answer) => void>();
  const pages = new Map<string, Target>();
  let sent = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, ...answer } = JSON.parse(String(data));
    if (id !== undefined) waiting.get(id)?.(answer);
    else if (method === "Target.attachedToTarget") pages.set(params.sessionId, params.targetInfo);
    else if (method === "Target.detachedFromTarget") pages.delete(params.sessionId);
    else if (method === "Target.targetInfoChanged")
      for (const [session, { targetId }] of pages)
        if (targetId === params.targetInfo.targetId) pages.set(session, params.targetInfo);
  });
  const send: Connection["send"] = async (method, params = {}, sessionId) => {
    sent += 1;
    const id = sent;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const late: Answer = { error: { message: `no answer within ${ANSWER_MS} ms` } };
    const { result, error } = await Promise.race([answered, pause(ANSWER_MS, late, { ref: false })]);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  return { send, pages, close: () => socket.close() };
}

async function openTab(
  { send, pages, close }: Connection,
  { cookies = [], script }: Options,
  end: () => Promise<void>,
): Promise<PrerenderingTab> {
  const { targetInfos } = await send("Target.getTargets", { filter: [{ type: "tab" }] });
  const [tab] = targetInfos as Target[];
  const { sessionId } = await send("Target.attachToTarget", {
    targetId: required(tab, "tab").targetId,
    flatten: true,
  });
  const attach = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
  await send("Target.setAutoAttach", attach, String(sessionId));
  /** Sends to the visible page, which changes when another one replaces it. */
  const tell = (method: string, params: object = {}) => {
    const shown = [...pages].find(([, { type, subtype }]) => type === "page" && subtype !== "prerender");
    return send(method, params, required(shown, "page that is shown")[0]);
  };
  await tell("Emulation.setDeviceMetricsOverride", SIZE);
  for (const cookie of cookies) await tell("Network.setCookie", cookie);
  if (script) {
    await tell("Page.enable");
    await tell("Page.addScriptToEvaluateOnNewDocument", { source: script });
  }

  async function evaluate<T>(expression: string): Promise<T> {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await tell("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  async function waitUntil(expression: string): Promise<void> {
    const until = performance.now() + WAIT_MS;
    while (!(await evaluate(expression).catch(() => false))) {
      if (performance.now() > until) throw new Error(`It never became true: ${expression}`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  async function point(expression: string) {
    const position = await evaluate<{ x: number; y: number }>(
      `(() => { const { x, y, width, height } = (${expression}).getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
    );
    await tell("Input.dispatchMouseEvent", { type: "mouseMoved", ...position });
    return position;
  }

  return {
    evaluate,
    waitUntil,
    point,
    drawsEarly: () => [...pages.values()].some(({ subtype }) => subtype === "prerender"),
    async goto(url) {
      await tell("Page.navigate", { url });
      await waitUntil(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
    },
    async click(expression, { restMs, pressMs } = { restMs: 0, pressMs: 80 }) {
      const button = { ...(await point(expression)), button: "left", clickCount: 1 };
      await pause(restMs);
      await tell("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
      await pause(pressMs);
      // The page that answers may be gone by then.
      tell("Input.dispatchMouseEvent", { type: "mouseReleased", ...button }).catch(() => {});
    },
    async close() {
      close();
      await end();
    },
  };
}
