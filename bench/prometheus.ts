/** A real Prometheus and a real Alertmanager, set up as docs/operations/alerts.md says, watching a product; Debian's packages have both. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#db/local/processes/free-port.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { endProcess } from "./product.ts";

const PROGRAMS = { prometheus: "prometheus", alertmanager: "prometheus-alertmanager" };
const CHECKERS = ["promtool", "amtool"];
const RULES = join(PROJECT_ROOT, "docs/operations/alert-rules.yml");
const GUIDE = join(PROJECT_ROOT, "docs/operations/alerts.md");

/** The programs that this machine lacks. */
export const listMissingPrograms = (): string[] =>
  [...Object.values(PROGRAMS), ...CHECKERS].filter((name) => spawnSync("which", [name]).status !== 0);

type Watched = { url: string; metricsToken: string; alertsToken: string; pendingSeconds: number };
type ActiveAlert = { labels: { alertname: string }; state: string; activeAt: string };
export type Watcher = {
  /** What Prometheus itself says is pending or firing. */
  listAlerts(): Promise<ActiveAlert[]>;
  /** How each rule was evaluated: its name and, where it went wrong, why. */
  listRules(): Promise<{ name: string; health: string; lastError?: string }[]>;
  isScraping(): Promise<boolean>;
  /** How many series an expression has now; throws where Prometheus does not accept it. */
  countSeries(expression: string): Promise<number>;
  stop(): Promise<void>;
};

/** Every rule as it is shipped, but a cause lasts only so many seconds before it is an alert, and a quarter of an hour is a minute. */
const shortenRules = (seconds: number) =>
  readFileSync(RULES, "utf8")
    .replaceAll(/^(\s+for: ).*$/gm, `$1${seconds}s`)
    .replaceAll("[15m]", "[1m]");

function writePrometheusConfig(root: string, watched: Watched, alertmanagerPort: number): string {
  const rules = join(root, "rules.yml");
  writeFileSync(rules, shortenRules(watched.pendingSeconds));
  const config = join(root, "prometheus.yml");
  writeFileSync(
    config,
    `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: ["${rules}"]
alerting: { alertmanagers: [{ static_configs: [{ targets: ["127.0.0.1:${alertmanagerPort}"] }] }] }
scrape_configs:
  - job_name: codeshelf
    authorization: { credentials: "${watched.metricsToken}" }
    static_configs: [{ targets: ["${new URL(watched.url).host}"] }]
`,
  );
  execFileSync("promtool", ["check", "config", config], { stdio: ["ignore", "ignore", "inherit"] });
  return config;
}

/** The receiver of the guide with this product's address and token in it. */
function writeAlertmanagerConfig(root: string, { url, alertsToken }: Watched): string {
  const [, receivers] = required(/```yaml\n(receivers:[\s\S]*?)```/.exec(readFileSync(GUIDE, "utf8")));
  const here = required(receivers)
    .replace("https://codeshelf.example.com", url)
    .replace("the value of ALERTS_TOKEN", alertsToken);
  const config = join(root, "alertmanager.yml");
  writeFileSync(config, `route: { receiver: codeshelf, group_wait: 1s, group_interval: 1s }\n${here}`);
  execFileSync("amtool", ["check-config", config], { stdio: ["ignore", "ignore", "inherit"] });
  return config;
}

function startProgram(program: string, args: string[]): ChildProcess {
  return spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

export async function startWatcher(watched: Watched): Promise<Watcher> {
  const root = await mkdtemp(join(tmpdir(), "codeshelf-bench-prometheus-"));
  const [port, alertmanagerPort] = [await freePort(), await freePort()];
  const children = [
    startProgram(PROGRAMS.alertmanager, [
      `--config.file=${writeAlertmanagerConfig(root, watched)}`,
      `--storage.path=${join(root, "alertmanager")}`,
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      "--cluster.listen-address=",
      "--log.level=error",
    ]),
    startProgram(PROGRAMS.prometheus, [
      `--config.file=${writePrometheusConfig(root, watched, alertmanagerPort)}`,
      `--storage.tsdb.path=${join(root, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ]),
  ];
  return {
    ...askPrometheus(`http://127.0.0.1:${port}/api/v1`),
    stop: async () => {
      for (const child of children) await endProcess(child);
      await rm(root, { recursive: true, force: true });
    },
  };
}

function askPrometheus(address: string): Omit<Watcher, "stop"> {
  const ask = async (path: string) => {
    const answer = await fetch(`${address}/${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: never; error?: string };
    if (status !== "success") throw new Error(`Prometheus does not accept ${path}: ${error}`);
    return data;
  };
  return {
    listAlerts: async () => ((await ask("alerts")) as { alerts: ActiveAlert[] }).alerts,
    listRules: async () =>
      ((await ask("rules")) as { groups: { rules: [] }[] }).groups.flatMap(({ rules }) => rules),
    isScraping: async () => {
      const { activeTargets } = await ask("targets").catch(() => ({
        activeTargets: [] as { health: string }[],
      }));
      return activeTargets.some(({ health }) => health === "up");
    },
    countSeries: async (expression) =>
      ((await ask(`query?query=${encodeURIComponent(expression)}`)) as { result: unknown[] }).result.length,
  };
}
