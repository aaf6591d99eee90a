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

const REM_PX = 16;
const CODE_PADDING_REM = 0.5;
const GAP_REM = 0.75;
const MINIMIZED_REM = 4;
const HEAD_REM = 6;

const REMINDER_REM = 2.25;
const ANCHOR_REM = 3.5;

export type Beside = Placed & {
  line: number;
  is_minimized: boolean;
  /** Shown besides its text: when it reminds, and what became of its lines. */
  hasReminder: boolean;
  hasNews: boolean;
};

/**
 * Notes beside the code, in the order of their lines: each at its line, or below the one before where that is still there. Each
 * grows with its text as far as the next one lets it; the last one takes the page along.
 */
export function besideRules(notes: readonly Beside[], size: Reading["code_size"]): string {
  const lineRem = LINE_REM[size];
  let free = 0;
  const boxes = notes.map(({ id, line, ...note }) => {
    const top = Math.max((line - 1) * lineRem + CODE_PADDING_REM, free);
    const high = note.is_minimized ? MINIMIZED_REM : measureHeight(note);
    free = top + high + GAP_REM;
    return { id, top, high };
  });
  const rules = boxes.map(({ id, top, high }, i) => {
    const next = boxes[i + 1];
    const place = next
      ? `inset-block-start:${top}rem;max-block-size:${next.top - top - GAP_REM}rem`
      : `position:relative;margin-block-start:${top}rem`;
    return `#${noteAnchor(id)}{${place};min-block-size:${high}rem}`;
  });
  return `@media (width>=76rem){${rules.join("")}}`;
}

function measureHeight({
  size,
  hasReminder,
  hasNews,
}: Pick<Beside, "size" | "hasReminder" | "hasNews">): number {
  const written = Math.max(HEAD_REM, size.height / REM_PX);
  return written + (hasReminder ? REMINDER_REM : 0) + (hasNews ? ANCHOR_REM : 0);
}
