import { type FormFields, readFields } from "#app/web/door/body.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { DETAIL_NAMES } from "#domain/files/file-details.ts";
import { SELECTION_MAX } from "#domain/files/selection.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/** A form sent after its session had ended. Files cannot be handed back. `isTyped`: a person wrote some of it. */
export type KeptForm = { texts: [name: string, text: string][]; files: number; isTyped: boolean };

const FORM_AROUND_BYTES = 64 * 1024;
/** A browser without our cookie was hardly writing here; rendering long texts back would be work for strangers. */
const STRANGER_MAX_BYTES = 64 * 1024;

const TYPED_NAMES: ReadonlySet<string> = new Set([
  ...DETAIL_NAMES,
  ...`args code confirmation content file_name gist instructions message name password path question shared_text shared_title
   shared_url stdin text title url`.split(/\s+/),
]);

/** Every name that a form of ours sends once. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...TYPED_NAMES,
  ...DETAIL_NAMES.map((name) => `shown_${name}`),
  ...`action_id alert_uid all anchor_id announcement_id at board_id branch code_dark code_light code_size code_wrap color
   credential detected endpoint_hash every everywhere expires_on file file_sort file_view folder form_key from
   height id import_id intent job_id keep keep_marks keep_runs key language lifetime line_end line_start lines link
   locale max_views mine minimized mode next note_id only own_color parent person prev_updated_at remind_at repo_name
   revoke role run_id scope seen shortcuts shown shown_file_name shown_language tab_width task theme timeout timezone
   token tz use user_id version width with_secrets x y zip`.split(/\s+/),
]);

/** The names that a form sends once per selected item, with the most allowed. */
export const LIST_NAMES: Readonly<Record<string, number>> = {
  file_ids: SELECTION_MAX,
  moved: SELECTION_MAX,
  files: Infinity,
};

/** Answers with the form's texts, to be sent again after logging in. Null if the body is none of our forms: other texts are not sent back. */
export async function answerKeptForm(request: Request, hadSession: boolean): Promise<Response | null> {
  const maxBytes = hadSession ? BODY_MAX_BYTES + FORM_AROUND_BYTES : STRANGER_MAX_BYTES;
  const fields = await readFields(request, maxBytes);
  if (isRefusal(fields) || !isOurs(fields)) return null;
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const files = pairs.filter(([, value]) => value instanceof File && value.size > 0).length;
  const refusal = Refusal("auth_required", { redirect: LOGIN_PATH });
  const isTyped = texts.some(
    ([name, text]) => TYPED_NAMES.has(name) && text !== "" && !isChoice(name, fields),
  );
  const kept: KeptForm = { texts, files, isTyped };
  return Response.json({ ...refusalBody(refusal), kept }, { status: refusalStatus(refusal) });
}

/** The form of a link uses the name of a note's text for a choice. */
const isChoice = (name: string, fields: FormFields): boolean => name === "content" && "lifetime" in fields;

function isOurs(fields: FormFields): boolean {
  return Object.entries(fields).every(([name, values]) => {
    const count = Array.isArray(values) ? values.length : 1;
    const max = Object.hasOwn(LIST_NAMES, name) ? LIST_NAMES[name] : undefined;
    return max === undefined ? FIELD_NAMES.has(name) && count === 1 : count <= max;
  });
}
