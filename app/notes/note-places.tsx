import { useSearchParams } from "@remix-run/react";
import { noteAnchor, type ShownNote } from "#app/notes/note-card.tsx";
import { usePage } from "#app/page-context.ts";
import { LINE_REM, type Reading } from "#app/reading.ts";

type Placed = Pick<ShownNote, "id" | "color" | "position" | "size">;

/**
 * The positions of notes and their custom colours, from checked numbers and colours only. The content security policy allows styles only
 * from our sheets and from elements with the page's nonce, so all rules are in one element. A request for the page's part `notes` gets the
 * rules as data, because the page that reads them has another nonce.
 */
export function NoteStyleRules({ rules }: { rules: string }) {
  const { nonce } = usePage();
  const [parameters] = useSearchParams();
  if (rules === "") return null;
  if (parameters.get("part") === "notes") return <template data-note-rules={rules} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: numbers, ids and checked colours only
  return <style nonce={nonce} data-note-places="" dangerouslySetInnerHTML={{ __html: rules }} />;
}

const HEX = /^#[0-9a-f]{6}$/;

export function toColorRules(notes: readonly Pick<Placed, "id" | "color">[]): string {
  return notes
    .filter(({ color }) => HEX.test(color))
    .map(({ id, color }) => `#${noteAnchor(id)}{--note-paper:${color}}`)
    .join("");
}

const BOARD_MARGIN = 40;

/** Positions each note on a board and makes the board large enough for all. */
export function toBoardRules(notes: readonly Placed[]): string {
  const boxes = notes.map(
    ({ id, position: { x, y }, size: { width, height } }) =>
      `#${noteAnchor(id)}{inset-inline-start:${x}px;inset-block-start:${y}px;inline-size:${width}px;block-size:${height}px}`,
  );
  const findExtent = (side: (note: Placed) => number) => Math.max(0, ...notes.map(side)) + BOARD_MARGIN;
  const width = findExtent(({ position, size }) => position.x + size.width);
  const height = findExtent(({ position, size }) => position.y + size.height);
  return `@media (width>=48rem){.board-list{inline-size:${width}px;block-size:${height}px}${boxes.join("")}}`;
}

const CODE_PADDING_REM = 0.5;
const GAP_REM = 0.75;
const MINIMIZED_REM = 4;
/** The head, the edges and the footer of a note. */
const FRAME_REM = 5;
const TITLE_REM = 1.5;
/** About how many characters fit into one line of a note. Longer notes scroll. */
const LINE_CHARACTERS = 36;
const TEXT_LINE_REM = 1.3;
const TASK_REM = 1.75;
const PARAGRAPH_REM = 0.5;
const LIMIT_REM = 26;
/** Further lines are not measured. */
const MEASURED_LINES_MAX = 20;

const REMINDER_REM = 2.25;
const ANCHOR_REM = 3.5;

type NoteBeside = Pick<ShownNote, "id" | "title" | "beginning"> & {
  line: number;
  is_minimized: boolean;
  /** Other things shown beside the text: the reminder, and what happened to the lines. */
  hasReminder: boolean;
  hasNews: boolean;
};

/**
 * Positions notes beside the code in the order of their lines: each at its line, or below the previous note if that reaches further. A note
 * is as high as its text, within a limit and up to the next note. The last note extends the page.
 */
export function toBesideRules(notes: readonly NoteBeside[], size: Reading["code_size"]): string {
  const lineRem = LINE_REM[size];
  let freeFrom = 0;
  const boxes = notes.map(({ id, line, ...note }) => {
    const top = Math.max((line - 1) * lineRem + CODE_PADDING_REM, freeFrom);
    const height = note.is_minimized ? MINIMIZED_REM : estimateNoteHeight(note);
    freeFrom = round(top + height + GAP_REM);
    return { id, top };
  });
  const rules = boxes.map(({ id, top }, i) => {
    const next = boxes[i + 1];
    const position = next
      ? `inset-block-start:${top}rem;max-block-size:${Math.min(LIMIT_REM, round(next.top - top - GAP_REM))}rem`
      : `position:relative;margin-block-start:${top}rem;max-block-size:${LIMIT_REM}rem`;
    return `#${noteAnchor(id)}{${position}}`;
  });
  return `@media (width>=76rem){${rules.join("")}}`;
}

const round = (rem: number) => Math.round(rem * 100) / 100;

/** Estimates the height, because only a browser knows it exactly. */
function estimateNoteHeight({
  title,
  beginning,
  hasReminder,
  hasNews,
}: Omit<NoteBeside, "id" | "line">): number {
  const lines = beginning.split("\n", MEASURED_LINES_MAX).map(estimateLineHeight);
  const frame = FRAME_REM + (title === null ? 0 : TITLE_REM);
  const extras = (hasReminder ? REMINDER_REM : 0) + (hasNews ? ANCHOR_REM : 0);
  return Math.min(LIMIT_REM, frame + extras + lines.reduce((sum, height) => sum + height, 0));
}

function estimateLineHeight(line: string): number {
  if (line.trim() === "") return PARAGRAPH_REM;
  const isTask = /^\s*[-*+] \[[ x]\]/i.test(line);
  return Math.ceil(line.length / LINE_CHARACTERS) * TEXT_LINE_REM + (isTask ? TASK_REM - TEXT_LINE_REM : 0);
}
