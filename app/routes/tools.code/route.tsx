import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { describeCodeRuns } from "#app/code-runs/code.server.ts";
import { CodeField } from "#app/code-runs/code-field.tsx";
import { RunDock, RunInput } from "#app/code-runs/run-dock.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import editorStyles from "#app/styles/files/editor.css?url";
import toolStyles from "#app/styles/viewers/tools.css?url";
import { answerRefusal, requireValue } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { DraftOffer } from "#app/web/ui/draft-offer.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { canRunCode } from "#domain/accounts/role.ts";
import { createLoneProgram, lacksInput } from "#domain/code-runs/code-run.ts";
import { TOOL_CODE_MAX_BYTES, TOOL_LANGUAGES } from "#domain/code-runs/code-tool.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { languageLabel } from "#domain/files/language.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { removeByteOrderMark } from "#domain/text/line-ends.ts";
import { carryOutTool, type ToolForm, type ToolResult, toolForm } from "./form.server.ts";
import { ToolResultView } from "./tool-result.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const { user, role } = await requireUser(args);
  const { db } = args.context.services;
  const { enabled, limits, allowed_imports } = describeCodeRuns(args.context.services);
  const offer = { enabled, limits, allowed_imports, mayRun: canRunCode(role) };
  const file_id = new URL(args.request.url).searchParams.get("file");
  if (file_id === null) return json({ ...offer, file: null });
  const file = requireValue(await findFile(db, user.id, file_id), Refusal("file_not_found", { file_id }));
  const small = file.size_bytes <= TOOL_CODE_MAX_BYTES;
  const text = small ? removeByteOrderMark(await readBody(db, user.id, file)) : "";
  const { file_name, language } = file;
  return json({ ...offer, file: { file_name, language, text, tooLarge: !small } });
}

/** Runs, formats or checks the code, and answers with the same page: the code as typed and the result beside it. */
export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const form = await readForm(args, toolForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { services } = args.context;
  const result = await carryOutTool({ services, signedIn, form, signal: args.context.clientGone() });
  return isRefusal(result) ? answerRefusal(args.request, result, form) : json({ result, typed: form });
}

export const handle: PageHandle = {
  title: (text) => text.tools.title,
  // Above the limit of every tool, so that a text that is too large is returned to the page with the reason.
  bodyMaxBytes: 2 * BODY_MAX_BYTES + 1024 * 1024,
};

export const links = linkSheets(editorStyles, toolStyles);

const FORM = "tools-form";
const PROGRAM_NAME = createLoneProgram("python").name;

type CodeToolsData = SerializeFrom<typeof loader>;
type CodeToolsResult = { result?: ToolResult; refusal?: RefusalBody; typed: ToolForm | null };

export default function CodeTools() {
  const offer = useLoaderData<typeof loader>();
  const actionData = useActionData<CodeToolsResult>();
  const { tools: text, runs } = useText();
  const { search } = useLocation();
  const { file } = offer;
  const typed = actionData?.typed;
  const language = typed?.language ?? (file?.language || "python");
  const result = actionData?.result;
  const isWaiting = result?.did === "run" && lacksInput(result.run);
  const isInputOpen = Boolean(typed?.stdin || typed?.args) || isWaiting;
  const tooLarge = !actionData && file?.tooLarge;
  const refusal: RefusalBody | undefined = tooLarge
    ? { error: "", code: "payload_too_large", max: TOOL_CODE_MAX_BYTES }
    : actionData?.refusal;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <div className="tools grid column">
        <form
          id={FORM}
          method="post"
          action="/tools/code#result"
          encType="multipart/form-data"
          data-tools
          data-draft-for={`code-tools${search}`}
          data-returned={typed && ""}
        >
          <ToolButtons offer={offer} language={language} timeout={typed?.timeout} />
          <DraftOffer />
          <CodeField
            label={text.code}
            text={typed?.text ?? file?.text ?? ""}
            rows={20}
            dir="ltr"
            className="editor"
          />
          {offer.mayRun && offer.enabled && (
            <details className="disclosure tools-input" open={isInputOpen}>
              <summary>{runs.dock.options}</summary>
              <RunInput form={FORM} stdin={typed?.stdin} args={typed?.args} />
            </details>
          )}
          <SaveAsFileFields fileName={typed?.file_name || file?.file_name} />
          <ToolLimits offer={offer} />
          {offer.mayRun && offer.enabled && <AvailableImports modules={offer.allowed_imports} />}
        </form>
        <ToolResultView result={result} refusal={refusal} language={language} />
        {offer.mayRun && offer.enabled && <RunDock form={FORM} name={PROGRAM_NAME} folder="" />}
      </div>
    </>
  );
}

type ButtonsProps = { offer: CodeToolsData; language: string; timeout: string | undefined };

function ToolButtons({ offer, language, timeout }: ButtonsProps) {
  const text = useText().tools;
  const isKnown = TOOL_LANGUAGES.some((name) => name === language);
  const mayRun = offer.mayRun && offer.enabled;
  return (
    <div className="actions">
      <label className="visually-hidden" htmlFor="language">
        {text.language}
      </label>
      <select className="input input-small" id="language" name="language" defaultValue={language}>
        {!isKnown && <option value={language}>{languageLabel(language)}</option>}
        {TOOL_LANGUAGES.map((name) => (
          <option key={name} value={name}>
            {languageLabel(name)}
          </option>
        ))}
      </select>
      {mayRun && (
        <button className="button button-primary" type="submit" name="intent" value="run">
          <Icon name="play" />
          {text.run}
        </button>
      )}
      <button className="button" type="submit" name="intent" value="format">
        {text.format}
      </button>
      <button className="button" type="submit" name="intent" value="check">
        {text.check}
      </button>
      {mayRun && (
        <label className="small inline gap-2">
          {text.timeout}
          <input
            className="input input-small input-number"
            name="timeout"
            type="number"
            min={1}
            max={offer.limits.max_timeout_seconds}
            defaultValue={timeout || offer.limits.default_timeout_seconds}
          />
        </label>
      )}
    </div>
  );
}

function SaveAsFileFields({ fileName }: { fileName: string | undefined }) {
  const text = useText();
  return (
    <div className="toolbar">
      <Field name="file_name" label={text.upload.fileName} value={fileName} code />
      <button className="button" type="submit" formAction="/upload">
        {text.tools.save}
      </button>
    </div>
  );
}

function ToolLimits({ offer: { mayRun, enabled, limits } }: { offer: CodeToolsData }) {
  const text = useText().tools;
  return (
    <div className="soft tools-limits small grid gap-1">
      {!enabled && <p>{text.runDisabled}</p>}
      {enabled && !mayRun && <p>{text.runPremium}</p>}
      {enabled && mayRun && (
        <p>
          {text.runLimits(
            limits.max_timeout_seconds,
            limits.default_memory_mb,
            limits.max_code_length_bytes / 1024,
          )}{" "}
          {text.firstRun}{" "}
          <span className="keys-hint needs-script" data-tools-key>
            {text.runKey}
          </span>
        </p>
      )}
      <p>{text.toolLimits(TOOL_CODE_MAX_BYTES / 1024)}</p>
    </div>
  );
}

function AvailableImports({ modules }: { modules: string[] }) {
  const text = useText().tools;
  return (
    <details className="disclosure soft tools-limits small grid gap-1" id="available">
      <summary>{text.available}</summary>
      <p>{text.availablePython}</p>
      <p>
        <code dir="ltr">{modules.join(" ")}</code>
      </p>
      <p>{text.availableScripts}</p>
    </details>
  );
}
