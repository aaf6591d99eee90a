import type { WorkerWords } from "#db/jobs/documents.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { SANDBOX_LAYERS } from "#platform/processes/sandbox-layers.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";

type LayerReport = {
  sandbox: Pick<Sandbox, "layers">;
  isGitIsolated: boolean;
  words: WorkerWords;
  metrics: Metrics;
  log: Log;
};

/** Finds out once which layers hold on this machine, for the log, the heartbeat and the figures. */
export async function tellLayers({
  sandbox,
  isGitIsolated,
  words,
  metrics,
  log,
}: LayerReport): Promise<void> {
  try {
    const { missing } = await sandbox.layers();
    words.isolation = { missing, git: isGitIsolated };
    for (const layer of SANDBOX_LAYERS)
      metrics.gauge("codeshelf_sandbox_layer", { layer }, () => (missing.includes(layer) ? 0 : 1));
  } catch (error) {
    log.warn("sandbox_not_ready", { error });
  }
}
