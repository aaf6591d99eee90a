import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireFile } from "#app/files/require-file.server.ts";
import { requireShownVersion } from "#app/files/versions/shown-version.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { keepTyped, shareForm, toIdempotencyKey, toShareWish } from "#app/shares/share-form.server.ts";
import { toWireCreatedShare } from "#app/shares/share-wire.server.ts";
import styles from "#app/styles/files/shares.css?url";
import { atVersion, toLineRangeAddress } from "#app/viewers/views.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { createShare } from "#db/shares/shares.server.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { formatRange, type LineRange, parseLineRange } from "#domain/text/line-range.ts";
import { generateToken } from "#platform/ids.ts";
import { ShareFields, type TypedShare } from "./share-fields.tsx";

async function requireFileToShare(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { signedIn, file: newest } = await requireFile(args);
  const { user } = signedIn;
  return { user, newest, file: await requireShownVersion(args, user.id, newest) };
}

/** The page of the shared version at its lines, to return to. */
function toReturnPage(file: FileRecord, newest: FileRecord, range: LineRange | null): string {
  const page = atVersion(`/file/${file.id}`, file.version === newest.version ? null : file.version);
  return range ? toLineRangeAddress(page, range) : page;
}

const readLines = (request: Request) => parseLineRange(new URL(request.url).searchParams.get("L"));

export async function loader(args: LoaderFunctionArgs) {
  const { file, newest } = await requireFileToShare(args);
  const range = readLines(args.request);
  return json({
    file_name: file.file_name,
    version: file.version,
    suggested: range ? { content: "lines", lines: formatRange(range) } : {},
    formKey: generateToken(16),
    back: toReturnPage(file, newest, range),
  });
}

export async function action(args: ActionFunctionArgs) {
  const { user, file, newest } = await requireFileToShare(args);
  const form = await readForm(args, shareForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { db, clock } = args.context.services;
  const wish = toShareWish(form, file.version, user.timezone);
  const once = toIdempotencyKey(form, file.id, file.version);
  const share = isRefusal(wish) ? wish : await createShare(db, user.id, file.id, { ...wish, once }, clock());
  if (isRefusal(share)) return answerRefusal(args.request, share, keepTyped(form));
  const link = toWireCreatedShare(args.request, share);
  const lines = share.lines ? formatRange(share.lines) : undefined;
  args.context.session.flash({ say: "shared", count: 1, name: file.file_name, lines, url: link.url });
  return answerSuccess(
    args.request,
    link,
    toReturnPage(file, newest, share.lines ?? readLines(args.request)),
  );
}

type ShareFileData = SerializeFrom<typeof loader>;

export const handle: PageHandle<ShareFileData> = {
  title: (text, data) => (data ? text.shares.shareTitle(data.file_name) : text.shares.share),
};

export const links = linkSheets(styles);

export default function ShareFile() {
  const { file_name, version, suggested, formKey, back } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody; typed: TypedShare | null }>();
  const text = useText().shares;
  return (
    <>
      <div className="page-head">
        <h1>{text.shareTitle(file_name)}</h1>
      </div>
      <p className="soft reading-wide below-4">{text.shareLead(version)}</p>
      <RefusalAlert code={actionData?.refusal.code} />
      <form className="form" method="post">
        <input type="hidden" name="form_key" value={formKey} />
        <ShareFields typed={actionData?.typed ?? suggested} refused={actionData?.refusal.code} />
        <p className="soft small">{text.embedLater}</p>
        <div className="actions">
          <button className="button button-primary" type="submit">
            <Icon name="share" />
            {text.make}
          </button>
          <a className="button" href={back}>
            {text.cancel}
          </a>
        </div>
      </form>
    </>
  );
}
