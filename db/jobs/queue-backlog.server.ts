import { isJobId, type JobId } from "#domain/jobs/jobs.ts";

/** The waiting and active jobs of each kind that has any. */
export type Backlog = { job_id: JobId; waiting: number; active: number; oldest_at: Date | null };

type Sql = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

// A job that may not start yet does not count.
const BACKLOG = `
  select name,
    count(*) filter (where state < 'active')::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    min(greatest(created_on, start_after)) filter (where state < 'active') as oldest_at
  from pgboss.job
  where state <= 'active' and start_after <= now()
  group by name order by name`;

export async function listBacklog(sql: Sql): Promise<Backlog[]> {
  const rows = await sql(BACKLOG, []);
  return rows.flatMap(({ name, waiting, active, oldest_at }) => {
    const job_id = String(name);
    if (!isJobId(job_id)) return [];
    const oldest = oldest_at instanceof Date ? oldest_at : null;
    return [{ job_id, waiting: Number(waiting), active: Number(active), oldest_at: oldest }];
  });
}
