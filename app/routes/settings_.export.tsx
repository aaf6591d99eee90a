import { type ActionFunctionArgs, json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ExportCard, ImportForm, ImportPlan, type PlanOnWire } from "#app/components/export-import.tsx";
import { RefusalAlert } from "#app/components/refusal-alert.tsx";
import { SettingsTrail } from "#app/components/settings.tsx";
import { readForm } from "#app/http/body.server.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { done, refused } from "#app/http/replies.server.ts";
import type { Shelf } from "#app/http/visit.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { importLibrary } from "#app/library-zip/import.server.ts";
import { findZip, receiveZip, removeZip, ZIP_MAX_BYTES } from "#app/library-zip/uploads.server.ts";
import { importForm } from "#app/routes/settings-export-form.server.ts";
import settingsStyles from "#app/styles/settings.css?url";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";

const HERE = "/settings/export";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json({ maxBytes: ZIP_MAX_BYTES });
}

/** A zip that is sent is looked into, and the answer says what importing it would do; a second form imports it. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const isUpload = /^multipart\//i.test(args.request.headers.get("Content-Type") ?? "");
  return isUpload ? look(args, user.id) : decide(args, user.id);
}

async function look({ request, context: { shelf } }: ActionFunctionArgs, ownerId: string) {
  const uploads = { dataDir: shelf.env.dataDir, ownerId };
  const key = await receiveZip(request, uploads, Date.now());
  if (isRefusal(key)) return refused(request, key, {});
  const plan = await importLibrary(await pathOf(uploads, key), given(shelf, ownerId, true));
  if (isRefusal(plan)) {
    await removeZip(uploads, key);
    return refused(request, plan, {});
  }
  return json({ key, plan }, { headers: { "Cache-Control": "no-store" } });
}

async function decide({ request, context }: ActionFunctionArgs, ownerId: string) {
  const { shelf, flash } = context;
  const form = await readForm(request, importForm);
  if (isRefusal(form)) return refused(request, form, {});
  const uploads = { dataDir: shelf.env.dataDir, ownerId };
  if (form.intent === "drop") {
    await removeZip(uploads, form.key);
    flash({ say: "settings", what: "dropped" });
    return done(request, { ok: true }, HERE);
  }
  const path = await findZip(uploads, form.key);
  if (isRefusal(path)) return refused(request, path, {});
  const report = await importLibrary(path, given(shelf, ownerId, false));
  if (isRefusal(report)) return refused(request, report, {});
  await removeZip(uploads, form.key);
  const { kinds } = report;
  const any = Object.values(kinds).some(({ added }) => added > 0);
  flash({ say: "imported", files: kinds.files.added, notes: kinds.notes.added, any });
  return done(request, { ok: true, imported: kinds }, any ? "/files" : HERE);
}

async function pathOf(uploads: { dataDir: string; ownerId: string }, key: string): Promise<string> {
  const path = await findZip(uploads, key);
  if (isRefusal(path)) throw new Error("A zip is gone that was just written");
  return path;
}

const given = ({ db, env, clock }: Shelf, ownerId: string, dry: boolean) => ({
  db,
  ownerId,
  quota: { maxPerUser: env.maxNotesPerUser },
  now: clock(),
  dry,
});

export const handle: Titled = { title: (text) => text.settings.exportTitle };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: settingsStyles }];

type Answered = { refusal: RefusalBody } | { key: string; plan: PlanOnWire };

export default function ExportImport() {
  const { maxBytes } = useLoaderData<typeof loader>();
  const answered = useActionData() as Answered | undefined;
  const text = useText().settings;
  const planned = answered && "plan" in answered ? answered : null;
  return (
    <>
      <SettingsTrail />
      <div className="page-head">
        <h1>{text.exportTitle}</h1>
      </div>
      <RefusalAlert code={answered && "refusal" in answered ? answered.refusal.code : undefined} />
      <div className="settings">
        {planned && <ImportPlan fileKey={planned.key} plan={planned.plan} />}
        {!planned && <ExportCard />}
        {!planned && <ImportForm maxBytes={maxBytes} />}
      </div>
    </>
  );
}
