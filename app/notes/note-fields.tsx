import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { NoteBody } from "#app/notes/note-body.tsx";
import { Field } from "#app/web/ui/field.tsx";
import {
  getPositioning,
  NOTE_COLORS,
  type NoteKind,
  type NotePositioning,
  RANGES,
} from "#domain/notes/note.ts";
import type { RefusalBody } from "#domain/refusal.ts";

export type TypedNote = {
  title: string;
  content: string;
  color: string;
  own_color: string;
  line_start: string;
  line_end: string;
  anchor_id: string;
  x: string;
  y: string;
  width: string;
  height: string;
  board_id: string;
  minimized: string;
};

export type Choice = { id: string; name: string };

type FieldsProps = {
  typed: TypedNote;
  kind: NoteKind;
  boards?: readonly Choice[];
  headings?: readonly Choice[];
  refusal?: RefusalBody;
  label?: string;
};

type PlaceFields = (props: Required<Pick<FieldsProps, "typed" | "boards">> & { wrong: unknown }) => ReactNode;

/** In a document a heading takes the place of lines. */
const PLACE_FIELDS: Record<NotePositioning, PlaceFields> = { lines: LineFields, surface: SurfaceFields };

export function NoteFields({ typed, kind, boards = [], headings, refusal, label }: FieldsProps) {
  const text = useText().notes;
  const wrong = refusal?.field;
  const positioning = getPositioning(kind);
  const PositionFields = PLACE_FIELDS[positioning];
  const onHeading = positioning === "lines" ? headings : undefined;
  return (
    <>
      <div className="field">
        <label htmlFor="note-content">{label ?? text.content}</label>
        <textarea
          className="input"
          id="note-content"
          name="content"
          rows={8}
          dir="auto"
          defaultValue={typed.content}
          aria-invalid={wrong === "content" || undefined}
          aria-describedby="note-content-hint"
          data-note-text=""
        />
        <p className="soft small" id="note-content-hint">
          {text.contentHint}
        </p>
      </div>
      <Field
        name="title"
        label={text.name}
        value={typed.title}
        hint={text.nameHint}
        invalid={wrong === "title" || refusal?.code === "duplicate_title"}
      />
      <ColorField typed={typed} invalid={wrong === "color"} />
      {onHeading ? (
        <fieldset className="fieldset">
          <legend>{text.position}</legend>
          <HeadingField typed={typed} headings={onHeading} />
        </fieldset>
      ) : (
        <PositionFields typed={typed} boards={boards} wrong={wrong} />
      )}
    </>
  );
}

function ColorField({ typed, invalid }: { typed: TypedNote; invalid: boolean }) {
  const text = useText().notes;
  return (
    <fieldset className="fieldset">
      <legend>{text.color}</legend>
      <div className="cluster">
        {NOTE_COLORS.map((color) => (
          <label key={color} className="color-choice inline gap-2 target round edge" data-color={color}>
            <input
              className="flush"
              type="radio"
              name="color"
              value={color}
              defaultChecked={typed.color === color}
            />
            {text.colors[color]}
          </label>
        ))}
        <span className="inline-flex gap-1">
          <label className="color-choice inline gap-2 target round edge" data-color="own">
            <input
              className="flush"
              type="radio"
              name="color"
              value="own"
              defaultChecked={typed.color === "own"}
            />
            {text.ownColor}
          </label>
          <input
            className="raised round"
            type="color"
            name="own_color"
            defaultValue={typed.own_color}
            aria-label={text.ownColor}
            aria-invalid={invalid || undefined}
          />
        </span>
      </div>
    </fieldset>
  );
}

type NumberProps = {
  name: string;
  label: string;
  value: string;
  range: readonly [number, number];
  wrong: unknown;
};

function NumberField({ name, label, value, range: [min, max], wrong }: NumberProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className="input"
        id={name}
        name={name}
        type="number"
        inputMode="numeric"
        step="any"
        min={min}
        max={max}
        defaultValue={value}
        aria-invalid={wrong === name || undefined}
      />
    </div>
  );
}

type PositionProps = { typed: TypedNote; wrong: unknown };

function LineFields({ typed, wrong }: PositionProps) {
  const text = useText().notes;
  const range = [1, 10_000_000] as const;
  return (
    <fieldset className="fieldset">
      <legend>{text.where}</legend>
      <div className="note-numbers stack">
        <NumberField
          name="line_start"
          label={text.lineStart}
          value={typed.line_start}
          {...{ range, wrong }}
        />
        <NumberField name="line_end" label={text.lineEnd} value={typed.line_end} {...{ range, wrong }} />
      </div>
    </fieldset>
  );
}

function HeadingField({ typed, headings }: { typed: TypedNote; headings: readonly Choice[] }) {
  const text = useText().notes;
  return (
    <div className="field">
      <label htmlFor="anchor_id">{text.heading}</label>
      <select className="input" id="anchor_id" name="anchor_id" dir="auto" defaultValue={typed.anchor_id}>
        <option value="">{text.noHeading}</option>
        {headings.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

const SURFACE_NUMBERS = ["x", "y", "width", "height"] as const;

/** The numbers are folded: people move a note with the pointer, and open them only for an exact position or to correct one. */
function SurfaceFields({ typed, boards, wrong }: PositionProps & { boards: readonly Choice[] }) {
  const text = useText().notes;
  return (
    <>
      {boards.length > 1 && (
        <div className="field">
          <label htmlFor="board_id">{text.board}</label>
          <select className="input" id="board_id" name="board_id" dir="auto" defaultValue={typed.board_id}>
            {boards.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <details className="fieldset block" open={SURFACE_NUMBERS.some((name) => name === wrong)}>
        <summary className="strong">{text.position}</summary>
        <div className="note-numbers stack">
          {SURFACE_NUMBERS.map((name) => (
            <NumberField
              key={name}
              name={name}
              label={text[name]}
              value={typed[name]}
              range={RANGES[name]}
              wrong={wrong}
            />
          ))}
        </div>
        <label className="inline gap-2 reach fit">
          <input type="checkbox" name="minimized" value="on" defaultChecked={typed.minimized === "on"} />
          {text.minimized}
        </label>
      </details>
    </>
  );
}

/** Shows how the note will look. It is hidden without JavaScript, because it would never change. */
export function NotePreview({ typed }: { typed: TypedNote }) {
  const text = useText().notes;
  return (
    <section className="note form-wide above-6" data-color={typed.color} data-note-preview="" hidden>
      <h2 className="note-head gap-1 target note-title">{text.preview}</h2>
      <NoteBody html="" />
    </section>
  );
}
