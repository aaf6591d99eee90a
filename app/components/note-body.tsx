import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import type { Inline } from "#domain/note-inline.ts";
import { type Block, type Item, noteBlocks } from "#domain/note-markdown.ts";

type BodyProps = {
  content: string;
  /** The form that ticks this note's boxes; without one they only show their state. */
  form?: string;
};

/** What a note says. The tree it is made from holds no markup, so nothing a person writes becomes any. */
export function NoteBody({ content, form }: BodyProps) {
  return (
    <div className="note-body" data-note-body="">
      <Blocks blocks={noteBlocks(content)} form={form} />
    </div>
  );
}

/* biome-ignore-start lint/suspicious/noArrayIndexKey: a text is rendered once and its pieces are never reordered */

function Blocks({ blocks, form }: { blocks: readonly Block[]; form?: string }) {
  return blocks.map((block, i) => <OneBlock key={i} block={block} form={form} />);
}

function OneBlock({ block, form }: { block: Block; form?: string }) {
  switch (block.kind) {
    case "heading":
      return <Heading level={block.level} parts={block.parts} />;
    case "paragraph":
      return (
        <p dir="auto">
          <Lines lines={block.lines} />
        </p>
      );
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre dir="ltr" tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List list={block} form={form} />;
    case "rule":
      return <hr />;
  }
}

/** The page has headings of its own above; those of a note stand below its title. */
function Heading({ level, parts }: { level: number; parts: Inline[] }) {
  const Tag = level === 1 ? "h4" : level === 2 ? "h5" : "h6";
  return (
    <Tag dir="auto">
      <Parts parts={parts} />
    </Tag>
  );
}

function List({ list, form }: { list: Extract<Block, { kind: "list" }>; form?: string }) {
  const items = list.items.map((item, i) => (
    <li key={i} dir="auto" className={item.task ? "note-task" : undefined}>
      <Entry item={item} form={form} />
      <Blocks blocks={item.lists} form={form} />
    </li>
  ));
  return list.ordered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Entry({ item, form }: { item: Item; form?: string }) {
  if (!item.task) return <Lines lines={item.lines} />;
  return (
    <span className="note-task-row">
      <Tick task={item.task} words={item.lines.map(plain).join(" ")} form={form} />
      <span>
        <Lines lines={item.lines} />
      </span>
    </span>
  );
}

function Tick({ task, words, form }: { task: NonNullable<Item["task"]>; words: string; form?: string }) {
  const text = useText().notes;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a box that is ticked by sending a form is a button
    <button
      className="note-tick"
      type="submit"
      form={form}
      disabled={form === undefined}
      name="intent"
      value={`tick:${task.index}:${task.checked ? "off" : "on"}`}
      role="checkbox"
      aria-checked={task.checked}
      aria-label={words || text.task(task.index + 1)}
    />
  );
}

function Lines({ lines }: { lines: readonly Inline[][] }) {
  return lines.map((parts, i) => (
    <span key={i}>
      {i > 0 && <br />}
      <Parts parts={parts} />
    </span>
  ));
}

function Parts({ parts }: { parts: readonly Inline[] }): ReactNode {
  return parts.map((part, i) => <Part key={i} part={part} />);
}

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code dir="ltr">{part.text}</code>;
    case "link":
      return (
        <a href={part.href} rel="noopener noreferrer nofollow">
          <Parts parts={part.parts} />
        </a>
      );
    default: {
      const Tag = part.kind;
      return (
        <Tag>
          <Parts parts={part.parts} />
        </Tag>
      );
    }
  }
}

/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */

const plain = (parts: readonly Inline[]): string =>
  parts.map((part) => ("parts" in part ? plain(part.parts) : part.text)).join("");
