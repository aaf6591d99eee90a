import { closeSync } from "node:fs";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { BASIC_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import { SandboxChild } from "./child-process.ts";
import { createKeptProcesses } from "./kept-processes.ts";
import { findLayers, type Layers } from "./layers.ts";
import type { ReadyMade } from "./program.ts";
import { openOrMakeReadyMade } from "./ready-made.ts";

/**
 * A pool of processes that have loaded Python and wait for a program. The first starts with the first program, and each process
 * taken is replaced; each serves one person. Waiting processes end after some time without programs.
 */
export type Sandbox = {
  /** Returns a ready process that has served only this owner, or nobody. */
  take(ownerId?: string): Promise<SandboxChild>;
  /** Keeps a process for its owner's next program if possible, otherwise ends it. */
  giveBack(child: SandboxChild, ownerId: string): void;
  /** Makes what delays the first program most, while nobody waits. Does nothing if it exists. */
  prepare(): Promise<void>;
  /** Starts loading what the first program would wait for. */
  warm(): void;
  /** Returns the layers of this machine. Determined once, by trying. */
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
  /** Layers that must not be missing. */
  required?: readonly SandboxLayer[];
  log: Log;
  idleMs?: number;
  layers?: typeof findLayers;
};
type Foundation = { layers: Layers; readyMade: ReadyMade; coded: Promise<void> };

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
  const keptProcesses = createKeptProcesses(size);
  let layersPromise: Promise<Layers> | null = null;
  let foundation: Promise<Foundation> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const closing = new AbortController();

  const findLayersOnce = () => (layersPromise ??= findAndLogLayers(find, log));

  async function prepareFoundation(background: boolean): Promise<Foundation> {
    const layers = await findLayersOnce();
    const missing = layers.missing.filter((name) => required.includes(name));
    if (missing.length > 0) throw new SandboxUnavailable(toRequiredMessage(missing));
    const lacking = layers.missing.filter((name) => BASIC_LAYERS.includes(name) && !without.includes(name));
    if (lacking.length > 0) throw new SandboxUnavailable(toMissingMessage(lacking));
    const { signal } = closing;
    return { layers, ...(await openOrMakeReadyMade(cacheDir, { background, signal, log })) };
  }

  /** After a failure, the next program tries again. */
  function getFoundation(background = false): Promise<Foundation> {
    foundation ??= prepareFoundation(background).catch((error) => {
      foundation = null;
      throw error;
    });
    return foundation;
  }

  function spawnChild({ layers, readyMade }: Foundation): SandboxChild {
    const child = new SandboxChild(layers, readyMade);
    living.add(child);
    void child.gone.then(() => {
      living.delete(child);
      const index = waiting.indexOf(child);
      if (index >= 0) waiting.splice(index, 1);
    });
    return child;
  }

  function takeAlive(): SandboxChild | undefined {
    for (let child = waiting.shift(); child; child = waiting.shift()) if (child.alive) return child;
    return undefined;
  }

  function fillWaiting(base: Foundation) {
    while (!isClosed && waiting.length < size) waiting.push(spawnChild(base));
  }

  function restartIdleTimer() {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      for (const child of waiting.splice(0)) child.kill();
    }, idleMs);
    idleTimer.unref();
  }

  return {
    take: async (ownerId) => {
      const base = await getFoundation();
      if (isClosed) throw new SandboxUnavailable("The sandbox is closing");
      restartIdleTimer();
      const ownProcess = ownerId === undefined ? null : keptProcesses.take(ownerId);
      const child = ownProcess ?? takeAlive() ?? spawnChild(base);
      await child.ready;
      if (!ownProcess) fillWaiting(base);
      return child;
    },
    giveBack: (child, ownerId) => (isClosed ? child.kill() : keptProcesses.keep(ownerId, child)),
    prepare: async () => {
      try {
        await (await getFoundation(true)).coded;
      } catch (error) {
        if (!isClosed) log.warn("sandbox_not_ready", { error });
      }
    },
    layers: findLayersOnce,
    warm: () => void getFoundation().then(fillWaiting, (error) => log.warn("sandbox_not_ready", { error })),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(idleTimer);
      closing.abort();
      keptProcesses.clear();
      for (const child of living) child.kill();
      await Promise.all([...living].map(({ gone }) => gone));
      const base = await foundation?.catch(() => null);
      await base?.coded;
      for (const descriptor of Object.values(base?.readyMade ?? {}))
        if (descriptor !== null) closeSync(descriptor);
    },
  };
}

async function findAndLogLayers(find: typeof findLayers, log: Log): Promise<Layers> {
  const layers = await find();
  const { method, missing } = layers;
  if (missing.length > 0) log.warn("sandbox_layers_off", { method: method.name, layers: missing });
  else log.info("sandbox_layers_on", { method: method.name });
  return layers;
}

const describeMissing = (layers: SandboxLayer[]) =>
  `Programs are not run here: this machine does not give the sandbox its ${layers.join(" and ")} layer. See docs/sandbox.md;`;

const toMissingMessage = (layers: SandboxLayer[]) =>
  `${describeMissing(layers)} CODE_SANDBOX_WITHOUT=${layers.join(",")} accepts that.`;

const toRequiredMessage = (layers: SandboxLayer[]) =>
  `${describeMissing(layers)} CODE_SANDBOX_REQUIRE demands it.`;
