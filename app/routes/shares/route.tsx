import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { revokeForm } from "#app/shares/share-form.server.ts";
import { toWireShare } from "#app/shares/share-wire.server.ts";
import { createEmbedOffer } from "#app/shares/shared-address.server.ts";
import styles from "#app/styles/files/shares.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { type ListedShare, listShares, removeShare } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { countSharedLines } from "#domain/shares/share.ts";
import { ShareRows } from "./share-rows.tsx";

const HERE = "/shares";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const shares = await listShares(db, user.id, clock());
  const newShareId = new URL(args.request.url).searchParams.get("made");
  return json({
    shares: shares.map((share) => ({
      ...toWireShare(args.request, share),
      embedCode: writeOwnersEmbedCode(args.request, share),
    })),
    made: newShareId,
  });
}

/** Returns the embed code for a link to one file. A link to several files has one on the page of each. */
function writeOwnersEmbedCode(request: Request, share: ListedShare): string | null {
  const [file] = share.files;
  if (share.kind !== "file" || !file) return null;
  return createEmbedOffer(request, { share, file }, countSharedLines(share, file.lines))?.code ?? null;
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, revokeForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const share_id = form.revoke;
  if (!(await removeShare(args.context.services.db, user.id, share_id)))
    return answerRefusal(args.request, Refusal("share_not_found", { share_id }), {});
  args.context.session.flash({ say: "share_revoked" });
  return answerSuccess(args.request, { ok: true, revoked: 1, share_id }, HERE);
}

export const handle: PageHandle = { title: (text) => text.shares.title, jsonTwin: "/api/shares" };

export const links = linkSheets(styles);

export default function Shares() {
  const { shares, made } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody }>();
  const text = useText().shares;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <RefusalAlert code={actionData?.refusal.code} />
      {shares.length > 0 ? (
        <>
          <p className="soft reading-wide below-4">{text.lead}</p>
          <ShareRows shares={shares} made={made} />
        </>
      ) : (
        <EmptyState icon="share" title={text.emptyTitle}>
          <p className="soft">{text.empty}</p>
          <a className="button" href="/files">
            {text.toFiles}
          </a>
        </EmptyState>
      )}
    </>
  );
}
