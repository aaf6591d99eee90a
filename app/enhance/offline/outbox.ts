import {
  heldHere,
  listQueuedForms,
  removeQueuedForm,
  type StoredForm,
  updateQueuedForm,
} from "#app/enhance/offline/outbox-store.ts";

type Outcome = "sent" | "refused" | "later";
/** How the outbox stands after it was sent. */
type Sent = Record<Outcome, number>;

/** Answers that pass by themselves, or once somebody has logged in: the form is sent again another time. */
const LATER = [401, 403, 408, 429];

/** One page at a time sends, so that nothing is sent twice. */
export async function sendOutbox(reader: string): Promise<Sent> {
  return await navigator.locks.request("outbox", () => sendAll(reader));
}

/** A form that was refused waits for its writer; where one must wait, those after it wait too. */
async function sendAll(reader: string): Promise<Sent> {
  const came: Sent = { sent: 0, refused: 0, later: 0 };
  for (const kept of await listQueuedForms(reader)) {
    if (heldHere.has(kept.key)) continue;
    const outcome = kept.form.refused !== null ? "refused" : came.later > 0 ? "later" : await send(kept);
    came[outcome] += 1;
  }
  return came;
}

async function send(kept: StoredForm): Promise<Outcome> {
  const answer = await fetch(kept.form.path, {
    method: "POST",
    // Whoever is logged in by now may be somebody else, and then the server refuses it.
    headers: { Accept: "application/json", "X-Reader": kept.form.reader },
    body: toFormData(kept),
  }).catch(() => null);
  if (!answer || answer.status >= 500 || LATER.includes(answer.status)) return "later";
  if (answer.ok) {
    await removeQueuedForm(kept);
    return "sent";
  }
  await updateQueuedForm({ ...kept, form: { ...kept.form, refused: answer.status } });
  return "refused";
}

function toFormData({ form: { fields } }: StoredForm): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Sends a stored form as it was: the page that answers shows both texts, or says what is wrong beside what was typed. */
export async function openQueuedForm(kept: StoredForm): Promise<void> {
  const form = document.createElement("form");
  Object.assign(form, {
    method: "post",
    action: kept.form.path,
    enctype: "multipart/form-data",
    hidden: true,
  });
  const files = new Map<string, DataTransfer>();
  for (const [name, value] of kept.form.fields) {
    if (typeof value === "string") {
      const field = document.createElement("textarea");
      Object.assign(field, { name, value });
      form.append(field);
    } else if (value.name !== "") {
      const chosen = files.get(name) ?? new DataTransfer();
      files.set(name, chosen);
      chosen.items.add(value);
    }
  }
  for (const [name, chosen] of files) {
    const field = document.createElement("input");
    Object.assign(field, { type: "file", name, multiple: true, files: chosen.files });
    form.append(field);
  }
  document.body.append(form);
  await removeQueuedForm(kept);
  form.submit();
}
