import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/admin.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { listAnnouncements } from "#db/alerts/announcements.server.ts";
import { isRefusal, type RefusalBody, type RefusalCode } from "#domain/refusal.ts";
import { announcementForm, applyAnnouncementForm } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  return json({ announcements: await listAnnouncements(args.context.services.db) });
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args);
  const form = await readForm(args, announcementForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const result = await applyAnnouncementForm(args.context.services, form);
  if (isRefusal(result)) return answerRefusal(args.request, result, form);
  args.context.services.announcement.forget();
  return answerSuccess(args.request, { ok: true, ...result }, "/admin/announcements");
}

export const handle: PageHandle = { title: (text) => text.announcements.title };

export const links = linkSheets(styles);

type TypedAnnouncement = { announcement_id?: string; text?: string; link?: string };
type RefusedAnnouncement = { refusal: RefusalBody; typed: TypedAnnouncement };
type Row = ReturnType<typeof useLoaderData<typeof loader>>["announcements"][number];

export default function Announcements() {
  const { announcements } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedAnnouncement>();
  const text = useText().announcements;
  const typed = actionData?.typed ?? {};
  const isNew = actionData && !typed.announcement_id;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <form className="form" method="post">
        <p className="soft">{text.lead}</p>
        {isNew && <RefusalAlert code={actionData.refusal.code} />}
        <AnnouncementFields
          id="new"
          shown={isNew ? typed : {}}
          code={isNew ? actionData.refusal.code : undefined}
        />
        <div className="actions">
          <button className="button button-primary" type="submit" name="intent" value="create">
            {text.create}
          </button>
        </div>
      </form>
      <section className="section" aria-label={text.list}>
        {announcements.length === 0 ? (
          <EmptyState icon="announce" title={text.none}>
            <p className="soft">{text.noneYet}</p>
          </EmptyState>
        ) : (
          <ul className="rows">
            {announcements.map((row) => (
              <AnnouncementRow
                key={row.id}
                row={row}
                returned={typed.announcement_id === row.id ? actionData : undefined}
              />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function AnnouncementRow({ row, returned }: { row: Row; returned: RefusedAnnouncement | undefined }) {
  const text = useText().announcements;
  return (
    <li className="cluster gap-6 rows-2 pad-4 pad-block-3">
      <div className="breaks shrinks grow-16">
        <p>
          <bdi>{row.text}</bdi>
        </p>
        <p className="soft cluster small gap-4 rows-0">
          {row.is_active && <strong className="status status-completed">{text.active}</strong>}
          {row.link && (
            <a className="reach-line" href={row.link}>
              <bdi dir="ltr">{row.link}</bdi>
            </a>
          )}
          <Moment at={row.created_at} />
        </p>
      </div>
      <form className="actions" method="post">
        <input type="hidden" name="announcement_id" value={row.id} />
        <button
          className="button button-small"
          type="submit"
          name="intent"
          value={row.is_active ? "deactivate" : "activate"}
        >
          {row.is_active ? text.deactivate : text.activate}
        </button>
        <details className="confirm">
          <summary className="button button-small button-quiet">{text.remove}</summary>
          <button className="button button-small button-wrong" type="submit" name="intent" value="delete">
            {text.removeSure}
          </button>
        </details>
      </form>
      <details className="disclosure full flush" open={returned !== undefined}>
        <summary>{text.edit}</summary>
        <form className="card form" method="post">
          <RefusalAlert code={returned?.refusal.code} />
          <input type="hidden" name="announcement_id" value={row.id} />
          <AnnouncementFields id={row.id} shown={returned?.typed ?? row} code={returned?.refusal.code} />
          <div className="actions">
            <button className="button" type="submit" name="intent" value="edit">
              {text.save}
            </button>
          </div>
        </form>
      </details>
    </li>
  );
}

type FieldsProps = {
  id: string;
  shown: { text?: string; link?: string | null };
  code: RefusalCode | undefined;
};

function AnnouncementFields({ id, shown, code }: FieldsProps) {
  const text = useText().announcements;
  return (
    <>
      <Field
        id={`text-${id}`}
        name="text"
        label={text.text}
        value={shown.text}
        hint={text.textHint}
        invalid={code === "invalid_announcement_text"}
      />
      <Field
        id={`link-${id}`}
        name="link"
        label={text.link}
        value={shown.link ?? undefined}
        hint={text.linkHint}
        code
        invalid={code === "invalid_announcement_link"}
      />
    </>
  );
}
