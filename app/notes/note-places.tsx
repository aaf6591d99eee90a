import { useSearchParams } from "@remix-run/react";
import { noteAnchor, type ShownNote } from "#app/notes/note-card.tsx";
import { usePage } from "#app/page-context.ts";
import { LINE_REM, type Reading } from "#app/reading.ts";

type Placed = Pick<ShownNote, "id" | "color" | "position" | "size">;

/**
 * The positions of notes and their custom colours. A page lets no styles in but its own sheets and what carries its nonce, so
 * these rules stand in one element, and each is made of numbers and of a colour that was checked. A request for the page's part `notes`
 * is taken apart by another page, whose nonce it cannot know: there the rules are data.
 */
export function NotePlaces({ rules }: { rules: string }) {
  const { nonce } = usePage();
  const [parameters] = useSearchParams();
  if (rules === "") return null;
  if (parameters.get("part") === "notes") return <template data-note-rules={rules} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: numbers, ids and checked colours only
  return <style nonce={nonce} data-note-places="" dangerouslySetInnerHTML={{ __html: rules }} />;
}

const HEX = /^#[0-9a-f]{6}$/;

/** The notes with a custom colour. */
export function paperRules(notes: readonly Pick<Placed, "id" | "color">[]): string {
  return notes
    .filter(({ color }) => HEX.test(color))
    .map(({ id, color }) => `#${noteAnchor(id)}{--note-paper:${color}}`)
    .join("");
}

const AROUND = 40;

/** A board: each note where it was put, and a surface large enough for all. */
export function boardRules(notes: readonly Placed[]): string {
  const boxes = notes.map(
    ({ id, position: { x, y }, size: { width, height } }) =>
      `#${noteAnchor(id)}{inset-inline-start:${x}px;inset-block-start:${y}px;inline-size:${width}px;block-size:${height}px}`,
  );
  const far = (side: (note: Placed) => number) => Math.max(0, ...notes.map(side)) + AROUND;
  const wide = far(({ position, size }) => position.x + size.width);
  const high = far(({ position, size }) => position.y + size.height);
  return `@media (width>=48rem){.board-list{inline-size:${wide}px;block-size:${high}px}${boxes.join("")}}`;
}

const CODE_PADDING_REM = 0.5;
const GAP_REM = 0.75;
const MINIMIZED_REM = 4;
/** What is around the text of a note: its head, its edges and when it was changed. */
const FRAME_REM = 5;
const TITLE_REM = 1.5;
/** How a text is written on a note of this page; more of it than fits is scrolled. */
const LINE_CHARACTERS = 36;
const TEXT_LINE_REM = 1.3;
const TASK_REM = 1.75;
const PARAGRAPH_REM = 0.5;
const LIMIT_REM = 26;
/** Of a longer text no more is measured. */
const MEASURED_LINES_MAX = 20;

const REMINDER_REM = 2.25;
const ANCHOR_REM = 3.5;

type Beside = Pick<ShownNote, "id" | "title" | "beginning"> & {
  line: number;
  is_minimized: boolean;
  /** Shown besides its text: when it reminds, and what became of its lines. */
  hasReminder: boolean;
  hasNews: boolean;
};

/**
 * Notes beside the code, in the order of their lines: each at its line, or below the one before where that is still there. Each
 * is as high as its text, up to a limit and as far as the next one lets it; the last one takes the page along.
 */
export function besideRules(notes: readonly Beside[], size: Reading["code_size"]): string {
  const lineRem = LINE_REM[size];
  let free = 0;
  const boxes = notes.map(({ id, line, ...note }) => {
    const top = Math.max((line - 1) * lineRem + CODE_PADDING_REM, free);
    const high = note.is_minimized ? MINIMIZED_REM : measureHeight(note);
    free = round(top + high + GAP_REM);
    return { id, top };
  });
  const rules = boxes.map(({ id, top }, i) => {
    const next = boxes[i + 1];
    const place = next
      ? `inset-block-start:${top}rem;max-block-size:${Math.min(LIMIT_REM, round(next.top - top - GAP_REM))}rem`
      : `position:relative;margin-block-start:${top}rem;max-block-size:${LIMIT_REM}rem`;
    return `#${noteAnchor(id)}{${place}}`;
  });
  return `@media (width>=76rem){${rules.join("")}}`;
}

const round = (rem: number) => Math.round(rem * 100) / 100;

/** About how high a note is. Only a browser knows it exactly. */
function measureHeight({ title, beginning, hasReminder, hasNews }: Omit<Beside, "id" | "line">): number {
  const lines = beginning.split("\n", MEASURED_LINES_MAX).map(measureLine);
  const around = FRAME_REM + (title === null ? 0 : TITLE_REM);
  const more = (hasReminder ? REMINDER_REM : 0) + (hasNews ? ANCHOR_REM : 0);
  return Math.min(LIMIT_REM, around + more + lines.reduce((sum, high) => sum + high, 0));
}

function measureLine(line: string): number {
  if (line.trim() === "") return PARAGRAPH_REM;
  const isTask = /^\s*[-*+] \[[ x]\]/i.test(line);
  return Math.ceil(line.length / LINE_CHARACTERS) * TEXT_LINE_REM + (isTask ? TASK_REM - TEXT_LINE_REM : 0);
}
