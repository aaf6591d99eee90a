import {
  heldHere,
  listQueuedForms,
  removeUnlessRefilled,
  type StoredForm,
  updateQueuedForm,
} from "#app/enhance/offline/outbox-store.ts";

type Outcome = "sent" | "refused" | "later";
type SendCounts = Record<Outcome, number>;

/** Statuses that pass with time or after a login, so the form is sent again later. */
const LATER = [401, 403, 408, 429];

/** Only one page sends at a time, so that nothing is sent twice. */
export async function sendOutbox(reader: string): Promise<SendCounts> {
  return await navigator.locks.request("outbox", () => sendQueuedForms(reader));
}

/** A refused form waits for its writer. If one form must wait, those after it wait too. */
async function sendQueuedForms(reader: string): Promise<SendCounts> {
  const counts: SendCounts = { sent: 0, refused: 0, later: 0 };
  for (const storedForm of await listQueuedForms(reader)) {
    if (heldHere.has(storedForm.key)) continue;
    const outcome =
      storedForm.form.refused !== null
        ? "refused"
        : counts.later > 0
          ? "later"
          : await sendQueuedForm(storedForm);
    counts[outcome] += 1;
  }
  return counts;
}

async function sendQueuedForm(storedForm: StoredForm): Promise<Outcome> {
  const answer = await fetch(storedForm.form.path, {
    method: "POST",
    // Another person may be logged in by now; then the server refuses the form.
    headers: { Accept: "application/json", "X-Reader": storedForm.form.reader },
    body: toFormData(storedForm),
  }).catch(() => null);
  if (!answer || answer.status >= 500 || LATER.includes(answer.status)) return "later";
  if (answer.ok) {
    await removeUnlessRefilled(storedForm);
    return "sent";
  }
  await updateQueuedForm({ ...storedForm, form: { ...storedForm.form, refused: answer.status } });
  return "refused";
}

function toFormData({ form: { fields } }: StoredForm): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Submits a stored form, so that the resulting page shows both texts or says what is wrong. */
export async function submitQueuedForm(storedForm: StoredForm): Promise<void> {
  const form = document.createElement("form");
  Object.assign(form, {
    method: "post",
    action: storedForm.form.path,
    enctype: "multipart/form-data",
    hidden: true,
  });
  const files = new Map<string, DataTransfer>();
  for (const [name, value] of storedForm.form.fields) {
    if (typeof value === "string") {
      const field = document.createElement("textarea");
      Object.assign(field, { name, value });
      form.append(field);
    } else if (value.name !== "") {
      const transfer = files.get(name) ?? new DataTransfer();
      files.set(name, transfer);
      transfer.items.add(value);
    }
  }
  for (const [name, transfer] of files) {
    const field = document.createElement("input");
    Object.assign(field, { type: "file", name, multiple: true, files: transfer.files });
    form.append(field);
  }
  document.body.append(form);
  await removeUnlessRefilled(storedForm);
  form.submit();
}
