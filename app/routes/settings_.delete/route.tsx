import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import settingsStyles from "#app/styles/accounts/settings.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { removeAccountData, startAccountRemoval } from "#db/operations/account-removal.server.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { deleteForm } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json(null);
}

export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const form = await readForm(args, deleteForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  if (!isConfirmed(form.confirmation))
    return answerRefusal(args.request, Refusal("not_confirmed"), { confirmation: form.confirmation });
  const { db, clock } = args.context.services;
  await startAccountRemoval(db, signedIn.user.id, clock());
  await removeAccountData(db, signedIn.user.id, clock);
  await args.context.session.signOut(signedIn);
  args.context.session.flash({ say: "settings", what: "deleted" });
  return answerSuccess(args.request, { ok: true }, "/");
}

/** Accepts the words of any language, because the language can be switched in another window. */
function isConfirmed(text: string): boolean {
  const phrase = text.trim().replaceAll(/\s+/g, " ").toLowerCase();
  return LOCALE_NAMES.some((locale) => getDictionary(locale).settings.deleteWord === phrase);
}

export const handle: PageHandle = { title: (text) => text.settings.deleteTitle };

export const links = linkSheets(settingsStyles);

type RefusedDeletion = { refusal: RefusalBody; typed: { confirmation?: string } };

export default function DeleteAccount() {
  const actionData = useActionData<RefusedDeletion>();
  const text = useText().settings;
  return (
    <>
      <SettingsHead title={text.deleteTitle} refused={actionData?.refusal.code} />
      <div className="settings grid column gap-8 form-wide">
        <div className="settings-part stack column items-start shrinks">
          <p>{text.deleteLead}</p>
          <ul className="grid gap-1 discs">
            {text.deleteWhat.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
          <p>{text.deleteFirst}</p>
          <a className="button" href="/settings/export">
            <Icon name="download" />
            {text.deleteExport}
          </a>
        </div>
        <form className="stack" method="post">
          <Field
            name="confirmation"
            label={text.deleteField(text.deleteWord)}
            value={actionData?.typed.confirmation}
            invalid={actionData !== undefined}
          />
          <div className="actions">
            <button className="button button-wrong" type="submit">
              <Icon name="trash" />
              {text.deleteAction}
            </button>
          </div>
        </form>
      </div>
    </>
  );
}
