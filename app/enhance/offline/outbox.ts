import {
  heldHere,
  type Kept,
  listLetters,
  removeLetter,
  updateLetter,
} from "#app/enhance/offline/outbox-store.ts";

type Outcome = "sent" | "refused" | "later";
/** How the outbox stands after it was sent. */
export type Sent = Record<Outcome, number>;

/** Answers that pass by themselves, or once somebody has logged in: the letter is sent again another time. */
const LATER = [401, 403, 408, 429];

/** One page at a time sends, so that nothing is sent twice. */
export async function sendOutbox(reader: string): Promise<Sent> {
  return await navigator.locks.request("outbox", () => sendAll(reader));
}

/** A letter that was refused waits for its writer; where one must wait, those after it wait too. */
async function sendAll(reader: string): Promise<Sent> {
  const came: Sent = { sent: 0, refused: 0, later: 0 };
  for (const kept of await listLetters(reader)) {
    if (heldHere.has(kept.key)) continue;
    const outcome = kept.letter.refused !== null ? "refused" : came.later > 0 ? "later" : await send(kept);
    came[outcome] += 1;
  }
  return came;
}

async function send(kept: Kept): Promise<Outcome> {
  const answer = await fetch(kept.letter.path, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: toFormData(kept),
  }).catch(() => null);
  if (!answer || answer.status >= 500 || LATER.includes(answer.status)) return "later";
  if (answer.ok) {
    await removeLetter(kept);
    return "sent";
  }
  await updateLetter({ ...kept, letter: { ...kept.letter, refused: answer.status } });
  return "refused";
}

function toFormData({ letter }: Kept): FormData {
  const form = new FormData();
  for (const [name, value] of letter.fields) form.append(name, value);
  return form;
}

/** Sends a letter as the form it was: the page that answers shows both texts, or says what is wrong beside what was typed. */
export async function openLetter(kept: Kept): Promise<void> {
  const form = document.createElement("form");
  Object.assign(form, {
    method: "post",
    action: kept.letter.path,
    enctype: "multipart/form-data",
    hidden: true,
  });
  const files = new Map<string, DataTransfer>();
  for (const [name, value] of kept.letter.fields) {
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
  await removeLetter(kept);
  form.submit();
}
