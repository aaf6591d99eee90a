import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DisplayChoices } from "#app/accounts/display-choices.tsx";
import { READING_ANCHOR, ReadingChoices } from "#app/accounts/reading-choices.tsx";
import { KeyChoice, RunChoice, SettingPlaces, ZoneField } from "#app/accounts/settings.tsx";
import { StorageMeter } from "#app/files/storage-meter.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import settingsStyles from "#app/styles/accounts/settings.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { findInstructions, setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { readUsage } from "#db/files/usage/library-usage.server.ts";
import { checkInstructions, INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { canRunCode } from "#domain/accounts/role.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { TIME_ZONES } from "#domain/reminders/reminder-time.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { instructionsForm } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user, role } = await requireUser(args);
  const { db, clock } = args.context.services;
  const { text, updated_at } = await findInstructions(db, user.id);
  const storage = await readUsage(db, user.id, clock());
  const keepRuns = canRunCode(role) ? user.keep_run_results !== false : null;
  return json({
    instructions: text,
    seen: updated_at?.toISOString() ?? "",
    zones: TIME_ZONES,
    keepRuns,
    storage,
  });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, instructionsForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const typedFields = { instructions: form.instructions };
  const text = checkInstructions(form.instructions);
  if (isRefusal(text)) return answerRefusal(args.request, text, typedFields);
  const { db, clock } = args.context.services;
  const result = await setInstructions(db, user.id, text, form.seen, clock());
  if (isRefusal(result)) return answerRefusal(args.request, result, typedFields);
  args.context.session.flash({ say: "settings", what: "instructions" });
  return answerSuccess(args.request, { ok: true }, "/settings");
}

export const handle: PageHandle = { title: (text) => text.settings.title, bodyMaxBytes: 1024 * 1024 };

export const links = linkSheets(settingsStyles);

type RefusedSettings = { refusal: RefusalBody; typed: { instructions?: string } };

export default function Settings() {
  const { instructions, seen, zones, keepRuns, storage } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedSettings>();
  const { settings: text, fileActions, reading } = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <RefusalAlert code={actionData?.refusal.code} />
      <div className="settings-page grid column gap-8">
        <SettingPlaces />
        <div className="settings grid column gap-8 form-wide">
          <section
            className="settings-part stack column items-start shrinks"
            aria-labelledby="settings-display"
          >
            <h2 id="settings-display">{text.display}</h2>
            <DisplayChoices />
          </section>
          <section
            className="settings-part stack column items-start shrinks"
            aria-labelledby={READING_ANCHOR}
          >
            <h2 id={READING_ANCHOR}>{reading.title}</h2>
            <ReadingChoices />
          </section>
          <ZoneField zones={zones} />
          <KeyChoice />
          {keepRuns !== null && <RunChoice keep={keepRuns} />}
          <section
            className="settings-part stack column items-start shrinks"
            aria-labelledby="settings-storage"
          >
            <h2 id="settings-storage">{fileActions.storage}</h2>
            <StorageMeter {...storage} />
          </section>
          <AgentInstructions text={actionData?.typed.instructions ?? instructions} seen={seen} />
        </div>
      </div>
    </>
  );
}

const NEARLY_FULL = 0.9;

/** The instructions for agents and their size; `enhance/size-meter.ts` updates the size during typing. */
function AgentInstructions({ text, seen }: { text: string; seen: string }) {
  const settingsText = useText().settings;
  const size = utf8Bytes(text);
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="settings-agent">
      <h2 id="settings-agent">{settingsText.agent}</h2>
      <p className="soft">{settingsText.agentLead}</p>
      <form className="stack" method="post">
        <input type="hidden" name="seen" value={seen} />
        <textarea
          className="input code"
          name="instructions"
          rows={6}
          dir="auto"
          spellCheck={false}
          defaultValue={text}
          aria-label={settingsText.agentField}
          aria-describedby="agent-size agent-secrets"
          aria-invalid={size > INSTRUCTIONS_MAX_BYTES || undefined}
          data-measured="agent-size"
        />
        <div className="cluster small soft gap-3 rows-2">
          <meter
            min={0}
            max={INSTRUCTIONS_MAX_BYTES}
            high={INSTRUCTIONS_MAX_BYTES * NEARLY_FULL}
            value={size}
            aria-label={settingsText.agentMeter}
          />
          <span id="agent-size" dir="ltr">
            <bdi data-size="">
              <Bytes count={size} />
            </bdi>
            {" / "}
            <Bytes count={INSTRUCTIONS_MAX_BYTES} />
          </span>
        </div>
        <p className="soft small" id="agent-secrets">
          {settingsText.agentSecrets}
        </p>
        <div className="actions">
          <button className="button button-primary" type="submit">
            {settingsText.agentSave}
          </button>
        </div>
      </form>
    </section>
  );
}
