import type { WorkerReport } from "#db/jobs/documents.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { SANDBOX_LAYERS } from "#platform/processes/sandbox-layers.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";

type LayerLogOptions = {
  sandbox: Pick<Sandbox, "layers">;
  isGitIsolated: boolean;
  words: WorkerReport;
  metrics: Metrics;
  log: Log;
};

/** Determines the layers of this machine once, for the log, the heartbeat and the metrics. */
export async function logSandboxLayers({
  sandbox,
  isGitIsolated,
  words,
  metrics,
  log,
}: LayerLogOptions): Promise<void> {
  try {
    const { missing } = await sandbox.layers();
    words.isolation = { missing, git: isGitIsolated };
    for (const layer of SANDBOX_LAYERS)
      metrics.gauge("codeshelf_sandbox_layer", { layer }, () => (missing.includes(layer) ? 0 : 1));
  } catch (error) {
    log.warn("sandbox_not_ready", { error });
  }
}
