import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { ZoneNote } from "#app/operators/zone-note.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/admin.css?url";
import { setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { SortedTable } from "#app/web/ui/sorted-table.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { parseSort, sortRows, toSortText } from "#domain/sort.ts";
import { type AdminHealth, checkHealth } from "./admin-health.server.ts";
import { Gauges, HealthSummary } from "./health-gauges.tsx";
import { IsolationTable } from "./isolation-table.tsx";

const QUEUE_COLUMNS = ["job_id", "waiting", "active", "oldest_at"] as const;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  const sortParameter = new URL(args.request.url).searchParams.get("sort");
  const sort = parseSort(sortParameter, QUEUE_COLUMNS, { by: "waiting", descending: true });
  const health = await checkHealth(args.context.services);
  setJsonAnswer(args.request, health);
  return json({ ...health, sort });
}

export const handle: PageHandle = { title: (text) => text.operators.title };

export const links = linkSheets(styles);

export default function Admin() {
  const { workers, backlog, indexes, alerts, failed, backups, sort } = useLoaderData<typeof loader>();
  const text = useText().operators;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <ZoneNote />
      {workers && !workers.some(({ alive }) => alive) && <Alert>{text.noWorker}</Alert>}
      <HealthSummary workers={workers} indexes={indexes} alerts={alerts} failed={failed} backups={backups} />
      <Gauges
        workers={workers}
        backlog={backlog}
        indexes={indexes}
        alerts={alerts}
        failed={failed}
        backups={backups}
      />
      <AdminPageLinks />
      <section className="section" id="queues">
        <div className="section-head">
          <h2>{text.queues}</h2>
        </div>
        <Queues backlog={backlog} sort={sort} />
      </section>
      <section className="section">
        <div className="section-head">
          <h2>{text.workers}</h2>
        </div>
        <Workers workers={workers} />
      </section>
      <section className="section" id="isolation">
        <div className="section-head">
          <h2>{text.isolation.title}</h2>
        </div>
        <p className="soft below-3">{text.isolation.lead}</p>
        <IsolationTable workers={workers?.filter(({ alive }) => alive) ?? []} />
      </section>
      <section className="section" id="backups">
        <div className="section-head">
          <h2>{text.backups.title}</h2>
        </div>
        <BackupTable backups={backups} />
      </section>
    </>
  );
}

type AdminLink = {
  href: string;
  icon: IconName;
  name: (text: Dictionary) => string;
  words: keyof PlaceNames;
};
type PlaceNames = Dictionary["operators"]["places"];

const PLACES: readonly AdminLink[] = [
  { href: "/admin/jobs", icon: "clock", name: ({ jobs }) => jobs.title, words: "jobs" },
  { href: "#queues", icon: "sort", name: ({ operators }) => operators.queues, words: "queues" },
  {
    href: "/admin/observability",
    icon: "alert",
    name: ({ observability }) => observability.title,
    words: "observability",
  },
  {
    href: "/admin/verify-indexes",
    icon: "key",
    name: ({ operators }) => operators.indexes.title,
    words: "indexes",
  },
  {
    href: "/admin/announcements",
    icon: "announce",
    name: ({ nav }) => nav.announcements,
    words: "announcements",
  },
  { href: "/admin/users", icon: "people", name: ({ nav }) => nav.people, words: "people" },
];

function AdminPageLinks() {
  const text = useText();
  return (
    <nav aria-label={text.operators.placesHead}>
      <ul className="admin-places grid gap-2">
        {PLACES.map(({ href, icon, name, words }) => (
          <li key={href}>
            <a className="card lights-up ink plain top pad-3" href={href}>
              <Icon name={icon} />
              <span className="grid shrinks">
                <strong>{name(text)}</strong>
                <span className="soft small">{text.operators.places[words]}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type QueuesProps = Pick<AdminHealth, "backlog"> & Pick<SerializeFrom<typeof loader>, "sort">;

function Queues({ backlog, sort }: QueuesProps) {
  const { operators: text, jobs } = useText();
  if (!backlog) return <p className="soft">{text.unknown}</p>;
  if (backlog.length === 0) return <p className="soft">{text.queuesQuiet}</p>;
  const columns = [
    { id: "job_id", name: jobs.job },
    { id: "waiting", name: text.waiting },
    { id: "active", name: text.active },
    { id: "oldest_at", name: text.oldest },
  ] as const;
  return (
    <SortedTable
      name={text.queues}
      columns={columns}
      sort={sort}
      address={(chosen) => `/admin?sort=${toSortText(chosen)}#queues`}
    >
      {sortRows(backlog, sort).map((row) => (
        <tr key={row.job_id}>
          <th scope="row">{jobs.names[row.job_id]}</th>
          <td>{row.waiting}</td>
          <td>{row.active}</td>
          <td>{row.oldest_at && <Moment at={row.oldest_at} />}</td>
        </tr>
      ))}
    </SortedTable>
  );
}

function Workers({ workers }: Pick<AdminHealth, "workers">) {
  const text = useText().operators;
  if (!workers) return <p className="soft">{text.unknown}</p>;
  if (workers.length === 0) return <p className="soft">{text.workersNone}</p>;
  return (
    <Table name={text.workers} headings={[text.worker, text.state, text.lastSeen, text.started]} stacked>
      {workers.map((worker) => (
        <tr key={worker.worker_id}>
          <th scope="row">
            <code dir="ltr">{worker.worker_id}</code>
          </th>
          <td data-label={text.state}>
            <span className={worker.alive ? "status status-completed" : "status status-unchecked"}>
              {worker.alive ? text.alive : text.silent}
            </span>
          </td>
          <td data-label={text.lastSeen}>
            <Moment at={worker.heartbeat_at} inSeconds={!worker.alive} />
          </td>
          <td data-label={text.started}>
            <Moment at={worker.started_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Backups = { enabled: boolean; files: { name: string; bytes: number; created_at: string }[] | null };

function BackupTable({ backups: { enabled, files } }: { backups: Backups }) {
  const { backups: text, unknown } = useText().operators;
  if (!enabled) return <p className="soft">{text.off}</p>;
  if (!files) return <p className="soft">{unknown}</p>;
  if (files.length === 0) return <p className="soft">{text.none}</p>;
  return (
    <Table name={text.title} headings={[text.name, text.size, text.made]} stacked>
      {files.map(({ name, bytes, created_at }) => (
        <tr key={name}>
          <th scope="row">
            <code dir="ltr">{name}</code>
          </th>
          <td data-label={text.size}>
            <Bytes count={bytes} />
          </td>
          <td data-label={text.made}>
            <Moment at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
