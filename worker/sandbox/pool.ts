import { closeSync } from "node:fs";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { BASIC_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import { SandboxChild } from "./child-process.ts";
import { createKeptProcesses } from "./kept-processes.ts";
import { findLayers, type Layers } from "./layers.ts";
import type { ReadyMade } from "./program.ts";
import { openReadyMade } from "./ready-made.ts";

/**
 * A few processes that have loaded Python and wait for a program. The first is started when the first program comes, a new
 * one whenever one was taken; each serves one person. After a while without programs the waiting ones are ended.
 */
export type Sandbox = {
  /** A process that is ready: one that has served this owner and nobody else, or one that has served nobody. */
  take(ownerId?: string): Promise<SandboxChild>;
  /** Keeps a process for its owner's next program where that is possible, and ends it otherwise. */
  giveBack(child: SandboxChild, ownerId: string): void;
  /** Makes what the first program would wait longest for, while nobody waits. Does nothing where it is there already. */
  prepare(): Promise<void>;
  /** Begins to load what the first program would wait for. */
  warm(): void;
  /** Which layers hold on this machine. Found out once, by trying. */
  layers(): Promise<Layers>;
  close(): Promise<void>;
};

export class SandboxUnavailable extends Error {
  override name = "SandboxUnavailable";
}

type Options = {
  size: number;
  cacheDir: string;
  /** Basic layers that may be missing. */
  without: readonly SandboxLayer[];
  /** Layers that may not be missing. */
  required?: readonly SandboxLayer[];
  log: Log;
  idleMs?: number;
  layers?: typeof findLayers;
};
type Ground = { layers: Layers; readyMade: ReadyMade; coded: Promise<void> };

const IDLE_MS = 10 * MINUTE_MS;

export function createSandbox({
  size,
  cacheDir,
  without,
  required = [],
  log,
  idleMs = IDLE_MS,
  layers: find = findLayers,
}: Options): Sandbox {
  const waiting: SandboxChild[] = [];
  const living = new Set<SandboxChild>();
  const kept = createKeptProcesses(size);
  let found: Promise<Layers> | null = null;
  let ground: Promise<Ground> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  const closing = new AbortController();

  const findOnce = () => (found ??= findAndTell(find, log));

  async function layGround(background: boolean): Promise<Ground> {
    const layers = await findOnce();
    const demanded = layers.missing.filter((name) => required.includes(name));
    if (demanded.length > 0) throw new SandboxUnavailable(demandedMessage(demanded));
    const lacking = layers.missing.filter((name) => BASIC_LAYERS.includes(name) && !without.includes(name));
    if (lacking.length > 0) throw new SandboxUnavailable(lackingMessage(lacking));
    const { signal } = closing;
    return { layers, ...(await openReadyMade(cacheDir, { background, signal, log })) };
  }

  /** The next program tries again what failed. */
  function prepared(background = false): Promise<Ground> {
    ground ??= layGround(background).catch((error) => {
      ground = null;
      throw error;
    });
    return ground;
  }

  function spawnChild({ layers, readyMade }: Ground): SandboxChild {
    const child = new SandboxChild(layers, readyMade);
    living.add(child);
    void child.gone.then(() => {
      living.delete(child);
      const place = waiting.indexOf(child);
      if (place >= 0) waiting.splice(place, 1);
    });
    return child;
  }

  function nextAlive(): SandboxChild | undefined {
    for (let child = waiting.shift(); child; child = waiting.shift()) if (child.alive) return child;
    return undefined;
  }

  function fill(on: Ground) {
    while (!closed && waiting.length < size) waiting.push(spawnChild(on));
  }

  function letGoWhenIdle() {
    clearTimeout(idle);
    idle = setTimeout(() => {
      for (const child of waiting.splice(0)) child.kill();
    }, idleMs);
    idle.unref();
  }

  return {
    take: async (ownerId) => {
      const on = await prepared();
      if (closed) throw new SandboxUnavailable("The sandbox is closing");
      letGoWhenIdle();
      const own = ownerId === undefined ? null : kept.take(ownerId);
      const child = own ?? nextAlive() ?? spawnChild(on);
      await child.ready;
      if (!own) fill(on);
      return child;
    },
    giveBack: (child, ownerId) => (closed ? child.kill() : kept.keep(ownerId, child)),
    prepare: async () => {
      try {
        await (await prepared(true)).coded;
      } catch (error) {
        if (!closed) log.warn("sandbox_not_ready", { error });
      }
    },
    layers: findOnce,
    warm: () => void prepared().then(fill, (error) => log.warn("sandbox_not_ready", { error })),
    close: async () => {
      if (closed) return;
      closed = true;
      clearTimeout(idle);
      closing.abort();
      kept.clear();
      for (const child of living) child.kill();
      await Promise.all([...living].map(({ gone }) => gone));
      const laid = await ground?.catch(() => null);
      await laid?.coded;
      for (const descriptor of Object.values(laid?.readyMade ?? {}))
        if (descriptor !== null) closeSync(descriptor);
    },
  };
}

async function findAndTell(find: typeof findLayers, log: Log): Promise<Layers> {
  const layers = await find();
  const { method, missing } = layers;
  if (missing.length > 0) log.warn("sandbox_layers_off", { method: method.name, layers: missing });
  else log.info("sandbox_layers_on", { method: method.name });
  return layers;
}

const cannotGive = (lacking: SandboxLayer[]) =>
  `Programs are not run here: this machine does not give the sandbox its ${lacking.join(" and ")} layer. See docs/sandbox.md;`;

const lackingMessage = (lacking: SandboxLayer[]) =>
  `${cannotGive(lacking)} CODE_SANDBOX_WITHOUT=${lacking.join(",")} accepts that.`;

const demandedMessage = (lacking: SandboxLayer[]) =>
  `${cannotGive(lacking)} CODE_SANDBOX_REQUIRE demands it.`;
