import type { Queue } from "#db/queue.server.ts";
import { type Clock, SECOND_MS } from "#platform/clock.ts";

const ANSWER_WITHIN_MS = 2 * SECOND_MS;

/** What waits in the queue, in Prometheus' text format. Where it cannot be asked there is no line: that is not the same as none waiting. */
export async function queueGauges(queue: Pick<Queue, "backlog">, clock: Clock): Promise<string> {
  const timeout = new Promise<never[]>((resolve) => {
    setTimeout(() => resolve([]), ANSWER_WITHIN_MS).unref();
  });
  const backlog = await Promise.race([queue.backlog().catch(() => []), timeout]);
  const now = clock().getTime();
  const gauge = (name: string, values: [job: string, value: number][]) => [
    `# TYPE ${name} gauge`,
    ...values.map(([job, value]) => `${name}{job="${job}"} ${value}`),
  ];
  const age = (oldestAt: Date | null) => (oldestAt ? Math.max(0, (now - oldestAt.getTime()) / SECOND_MS) : 0);
  return [
    ...gauge(
      "codeshelf_queue_waiting",
      backlog.map(({ job_id, waiting }) => [job_id, waiting]),
    ),
    ...gauge(
      "codeshelf_queue_active",
      backlog.map(({ job_id, active }) => [job_id, active]),
    ),
    ...gauge(
      "codeshelf_queue_oldest_seconds",
      backlog.map(({ job_id, oldest_at }) => [job_id, age(oldest_at)]),
    ),
    "",
  ].join("\n");
}
