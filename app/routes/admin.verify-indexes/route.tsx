import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/files/indexes.css?url";
import { answerSuccess } from "#app/web/answers/replies.server.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { reportTrashExpiry } from "#db/files/trash/trash-repair.server.ts";
import { buildIndexes, listIndexRows } from "#db/open/indexes/index-report.server.ts";
import { IndexRows, IndexStateLabel } from "./index-rows.tsx";

export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  const { db, clock } = args.context.services;
  const [collections, trash] = await Promise.all([listIndexRows(db), reportTrashExpiry(db, clock())]);
  return json({ collections, trash });
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args);
  const outcome = await buildIndexes(args.context.services.db);
  args.context.session.flash({ say: "indexes_built", ...outcome });
  return answerSuccess(args.request, { ok: outcome.failed === 0, ...outcome }, "/admin/verify-indexes");
}

export const handle: PageHandle = {
  title: (text) => text.operators.indexes.title,
  jsonTwin: "/api/indexes",
};

export const links = linkSheets(styles);

type TrashExpiry = ReturnType<typeof useLoaderData<typeof loader>>["trash"];

export default function VerifyIndexes() {
  const { collections, trash } = useLoaderData<typeof loader>();
  const text = useText().operators.indexes;
  const states = collections.flatMap(({ indexes }) => indexes.map(({ state }) => state));
  const uncheckedCount = states.filter((state) => state === "unchecked").length;
  const wrongCount = states.filter((state) => state === "missing" || state === "different").length;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        {wrongCount > 0 && (
          <form method="post">
            <button className="button button-primary" type="submit" aria-describedby="build-hint">
              {text.build}
            </button>
          </form>
        )}
      </div>
      <p className="soft">{text.lead}</p>
      {wrongCount > 0 && <Alert>{text.wrong(wrongCount)}</Alert>}
      {uncheckedCount > 0 && <Alert caution>{text.unchecked(uncheckedCount)}</Alert>}
      {wrongCount + uncheckedCount === 0 && (
        <p className="good firm line-up gap-2 around-3">
          <Icon name="check" />
          {text.complete(states.length)}
        </p>
      )}
      {wrongCount > 0 && (
        <p className="soft" id="build-hint">
          {text.buildHint}
        </p>
      )}
      <TrashSection trash={trash} />
      <IndexRows collections={collections} />
    </>
  );
}

/** Shows the state of the index that empties the trash. The event about that index links to the id of this section. */
function TrashSection({ trash: { state, overdue } }: { trash: TrashExpiry }) {
  const text = useText().operators.indexes;
  return (
    <section className="card gap-2 around-4 pad-4" id="recycle_bin_ttl" aria-labelledby="trash-head">
      <h2 className="flex wraps baseline gap-3 rows-0" id="trash-head">
        {text.trashHead}{" "}
        <code className="soft regular" dir="ltr">
          recycle_bin_ttl
        </code>
      </h2>
      <p>
        <IndexStateLabel state={state} />
      </p>
      <p>{text.trashStates[state]}</p>
      <p>
        {text.overdue}: <strong>{overdue === null ? text.overdueUnknown : amount(overdue)}</strong>
      </p>
      {(state !== "present" || overdue !== 0) && <p className="soft">{text.trashRepair}</p>}
    </section>
  );
}
