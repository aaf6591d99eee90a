import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { EmptyState } from "#app/components/empty-state.tsx";
import { FileRows } from "#app/components/file-rows.tsx";
import { Icon } from "#app/components/icon.tsx";
import { requireUser } from "#app/http/gates.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { countFiles, listFiles } from "#db/files.server.ts";
import { isRefusal } from "#domain/refusal.ts";

const RECENT_FILES = 5;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.shelf;
  const [recent, total] = await Promise.all([
    listFiles(db, user.id, { sort: "created_at_desc", limit: RECENT_FILES }),
    countFiles(db, user.id, {}),
  ]);
  if (isRefusal(recent)) throw refusalResponse(recent);
  return json({ name: user.first_name, total, recent: recent.files.map(fileOnWire) });
}

export const handle: Titled = { title: (text) => text.dashboard.title };

export default function Dashboard() {
  const { name, total, recent } = useLoaderData<typeof loader>();
  const text = useText().dashboard;
  return (
    <>
      <div className="page-head">
        <h1>{text.hello(name)}</h1>
      </div>
      {total === 0 ? (
        <EmptyState icon="book" title={text.emptyTitle}>
          <p className="soft">{text.empty}</p>
          <a className="button button-primary" href="/upload">
            <Icon name="plus" />
            {text.emptyAction}
          </a>
        </EmptyState>
      ) : (
        <section>
          <div className="section-head">
            <h2>{text.recent}</h2>
            <a href="/files">{text.all(total)}</a>
          </div>
          <FileRows files={recent} />
        </section>
      )}
    </>
  );
}
