/** 200 clients each that send headers without end, send a body without end, and ask for a large file and do not read it. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Figure } from "./figures.ts";
import { residentMb } from "./measure.ts";
import { type Address, measureP95 } from "./overload.ts";

const OF_EACH = 200;
// Fewer than are worked on at once, so that none is sent away as one of a crowd.
const AT_A_TIME = 40;
const TRICKLE_MS = 1_000;
const CALLS = 200;
const CUT_WITHIN_S = 60;
const IDLE_WITHIN_MS = 15_000;

type Kind = { name: string; begin: string; goesOn: string | null };

function open(port: number, { begin, goesOn }: Kind): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(begin);
  if (goesOn === null) return socket.pause();
  void trickle(socket, goesOn);
  return socket.resume();
}

/** Each at a moment of its own, as clients that do not know of each other. */
async function trickle(socket: Socket, goesOn: string): Promise<void> {
  await pause(Math.random() * TRICKLE_MS);
  for (; !socket.destroyed; await pause(TRICKLE_MS)) socket.write(goesOn);
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** Until the large files are made and wait to be read: until then it is work that slows others down, not slowness. */
async function untilIdle(url: string): Promise<void> {
  const end = performance.now() + IDLE_WITHIN_MS;
  while (performance.now() < end && (await readMetric(url, "codeshelf_requests_at_work")) > 1)
    await pause(100);
}

export async function measureSlowClients(page: Address, largeFile: string, pid: number): Promise<Figure[]> {
  const port = Number(new URL(page.url).port);
  const head = `Host: 127.0.0.1\r\nCookie: ${page.headers.Cookie}\r\n`;
  const kinds: Kind[] = [
    { name: "headers without end", begin: `GET / HTTP/1.1\r\n${head}X-Slow: `, goesOn: "x" },
    {
      name: "a body without end",
      begin: `PUT /api/files/slow.txt HTTP/1.1\r\n${head}Content-Length: 1000000\r\n\r\n`,
      goesOn: "x",
    },
    { name: "an answer unread", begin: `GET ${largeFile} HTTP/1.1\r\n${head}\r\n`, goesOn: null },
  ];
  // A process that has just begun is slow by itself.
  await measureP95(page, 2 * CALLS);
  const quiet = await measureP95(page, CALLS);
  const shedBefore = await readMetric(page.url, "codeshelf_requests_shed_total");
  const heldBefore = residentMb(pid);
  const startedAt = performance.now();
  const opened = kinds.map((kind) => ({ kind, sockets: [] as Socket[] }));
  for (let there = 0; there < OF_EACH; there += AT_A_TIME) {
    for (const { kind, sockets } of opened)
      sockets.push(...Array.from({ length: AT_A_TIME }, () => open(port, kind)));
    await pause(TRICKLE_MS);
    await untilIdle(page.url);
  }
  const thereAfter = (performance.now() - startedAt) / 1_000;
  const crowded = await measureP95(page, CALLS);
  const held = residentMb(pid);
  const shed = (await readMetric(page.url, "codeshelf_requests_shed_total")) - shedBefore;
  console.log(
    `${3 * OF_EACH} slow clients, ${shed} of them sent away; all there after ${thereAfter.toFixed(0)} s`,
  );
  console.log(`the list at p95: ${crowded.toFixed(0)} ms among them, ${quiet.toFixed(0)} ms before`);
  const figures: Figure[] = [
    { what: "memory of the process among them", ours: held, baseline: heldBefore, unit: "MB" },
  ];
  for (const { kind, sockets } of opened) {
    const closed = () => sockets.every((socket) => socket.closed || socket.readableEnded || socket.destroyed);
    while (!closed() && performance.now() - startedAt < CUT_WITHIN_S * 3_000) {
      // A socket that is not read does not learn that it was closed until its last bytes are.
      if (kind.goesOn === null) for (const socket of sockets) socket.write(" ");
      await pause(500);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${OF_EACH} × ${kind.name}: ${closed() ? `all cut after ${seconds.toFixed(0)} s` : "not all cut"}`,
    );
    if (!closed()) throw new Error(`${kind.name}: not all were cut`);
    figures.push({
      what: `${kind.name}: all ${OF_EACH} cut after`,
      ours: seconds,
      unit: "s",
      goal: { atMost: CUT_WITHIN_S },
    });
  }
  // What else the machine does may have changed meanwhile: quiet is what it was before and after, at the mean.
  const quietAfter = await measureP95(page, CALLS);
  console.log(`the list at p95 after them: ${quietAfter.toFixed(0)} ms`);
  const list = { ours: crowded, baseline: (quiet + quietAfter) / 2, unit: "ms" };
  const goal = { atMost: 2, of: "ratio" } as const;
  return [{ what: "p95 of the list among 600 slow clients", ...list, goal }, ...figures];
}
