import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { FileTable } from "#app/components/file-table.tsx";
import { requireUser } from "#app/http/gates.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import { titleOf } from "#app/i18n/title.ts";
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

export const meta: MetaFunction = ({ matches }) => titleOf(matches, (text) => text.dashboard.title);

export default function Dashboard() {
  const { name, total, recent } = useLoaderData<typeof loader>();
  const text = useText();
  return (
    <section>
      <h1 dir="auto">{text.dashboard.hello(name)}</h1>
      {total === 0 ? (
        <p>
          {text.dashboard.empty} <a href="/upload">{text.nav.upload}</a>
        </p>
      ) : (
        <>
          <p>
            <a href="/files">{text.dashboard.files(total)}</a>
          </p>
          <h2>{text.dashboard.recent}</h2>
          <FileTable files={recent} />
        </>
      )}
      <form method="post" action="/logout">
        <button type="submit" name="everywhere" value="1">
          {text.dashboard.logoutEverywhere}
        </button>
      </form>
    </section>
  );
}
