import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FileField } from "#app/files/file-field.tsx";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { type GistsSaved, saveGists } from "#app/gists/save-gists.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/primitives/file-field.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Field } from "#app/web/ui/field.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { GIST_JSON_MAX_BYTES } from "#domain/files/gist.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { gistForm, readGists } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json({ hasHost: args.context.services.codehost.apiUrl !== null });
}

/** A longer text would take too long to render again, and the person still has its source. */
const RETURNED_CHARACTERS_MAX = 500_000;

/** The answer lists what was imported, because nothing else about an import is stored. */
export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const { services } = args.context;
  const form = await readForm(args, gistForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const { url, gist } = form;
  const gists = await readGists(services, signedIn, form);
  const typedGist = gist.length <= RETURNED_CHARACTERS_MAX ? gist : "";
  if (isRefusal(gists)) return answerRefusal(args.request, gists, { url, gist: typedGist });
  const result = await saveGists(services.db, signedIn.user.id, gists, services.clock());
  if (!wantsPage(args.request.headers.get("Accept"))) throw Response.json({ ok: true, ...result });
  return json({ saved: result }, { headers: { "Cache-Control": "no-store" } });
}

export const handle: PageHandle = {
  title: (text) => text.gists.title,
  bodyMaxBytes: GIST_JSON_MAX_BYTES,
};

type GistResult = {
  refusal?: RefusalBody;
  typed?: { url?: string; gist?: string };
  saved?: GistsSaved;
};

export const links = linkSheets(styles);

export default function ImportGists() {
  const { hasHost } = useLoaderData<typeof loader>();
  const { refusal, typed, saved } = useActionData<GistResult>() ?? {};
  const text = useText().gists;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <form className="form" method="post" encType="multipart/form-data">
        {saved && <Summary saved={saved} />}
        <p className="soft">{text.lead}</p>
        <RefusalAlert code={refusal?.code} />
        {hasHost && <Field name="url" label={text.url} value={typed?.url} hint={text.urlHint} code />}
        <div className="field">
          <label htmlFor="gist-file">{text.file}</label>
          <FileField id="gist-file" name="file" accept=".json,application/json" />
        </div>
        <div className="field">
          <label htmlFor="gist">{text.json}</label>
          <textarea
            className="input code"
            id="gist"
            name="gist"
            rows={10}
            dir="ltr"
            spellCheck={false}
            defaultValue={typed?.gist}
            aria-describedby="gist-hint"
          />
          <p className="soft small" id="gist-hint">
            {text.jsonHint}
          </p>
        </div>
        <div className="actions">
          <button className="button button-primary" type="submit">
            {text.start}
          </button>
        </div>
      </form>
    </>
  );
}

function Summary({ saved: { folders, files, unchanged, skipped } }: { saved: GistsSaved }) {
  const { gists: text, refusals } = useText();
  return (
    <section className="card stack" role="status">
      {(files > 0 || unchanged === 0) && <p>{text.saved(files)}</p>}
      {unchanged > 0 && <p>{text.unchanged(unchanged)}</p>}
      {folders.length > 0 && (
        <ul>
          {folders.map(({ id, name }) => (
            <li key={id}>
              <a href={folderAddress(id)}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      {skipped.length > 0 && (
        <>
          <p>{text.skipped(skipped.length)}</p>
          <ul>
            {skipped.map(({ name, why }) => (
              <li key={name}>
                <bdi>{name}</bdi>:{" "}
                {why === "truncated" || why === "no_content" ? text.gaps[why] : refusals[why]}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
