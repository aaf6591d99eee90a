// The position and size of a board's note, for dragging, resizing and the arrow keys.

import { EdgeScroll, measureMarginDepth } from "#app/enhance/notes/edge-scroll.ts";
import { saveSoon } from "#app/enhance/notes/note-saves.ts";
import { required } from "#domain/required.ts";
import { listKeys } from "#domain/typed-keys.ts";

type Box = { x: number; y: number; width: number; height: number };
type Ranges = Record<keyof Box, [min: number, max: number]>;

const AROUND = 40;

export const findBoardSurface = () => document.querySelector<HTMLElement>("[data-board]");

/** The zoom of the surface, 1 for full size. Lengths within the surface do not change with it, those of the screen do. */
export const readZoom = (surface: HTMLElement) => Number(surface.style.getPropertyValue("zoom")) || 1;

/** The notes of the board, if this screen shows it as a surface. */
export function listBoardNotes(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-board] > .note")];
}

export function isOnSurface(note: HTMLElement): boolean {
  return getComputedStyle(note).position === "absolute";
}

export function readBox(note: HTMLElement): Box {
  const { insetInlineStart, insetBlockStart, inlineSize, blockSize } = getComputedStyle(note);
  const minimized = note.dataset.minimized !== undefined;
  return {
    x: Number.parseFloat(insetInlineStart),
    y: Number.parseFloat(insetBlockStart),
    width: Number.parseFloat(inlineSize),
    height: minimized ? readRanges(note).height[0] : Number.parseFloat(blockSize),
  };
}

export function setBox(note: HTMLElement, change: Partial<Box>): Box {
  const ranges = readRanges(note);
  const box = { ...readBox(note), ...change };
  for (const side of listKeys(ranges))
    box[side] = Math.round(Math.min(Math.max(box[side], ranges[side][0]), ranges[side][1]));
  note.style.insetInlineStart = `${box.x}px`;
  note.style.insetBlockStart = `${box.y}px`;
  if (change.width !== undefined) note.style.inlineSize = `${box.width}px`;
  if (change.height !== undefined) note.style.blockSize = `${box.height}px`;
  const surface = readSurface(note);
  const grow = (side: "inlineSize" | "blockSize", to: number) => {
    if (Number.parseFloat(getComputedStyle(surface)[side]) < to) surface.style[side] = `${to}px`;
  };
  grow("inlineSize", box.x + box.width + AROUND);
  grow("blockSize", box.y + box.height + AROUND);
  return box;
}

export function savePosition(note: HTMLElement): void {
  const { x, y } = readBox(note);
  saveSoon(note, { position: { x: Math.round(x), y: Math.round(y) } });
}

export function saveSize(note: HTMLElement): void {
  const { width, height } = readBox(note);
  saveSoon(note, { size: { width: Math.round(width), height: Math.round(height) } });
}

const readSurface = (note: HTMLElement) => required(note.parentElement, "board around a note");

function readRanges(note: HTMLElement): Ranges {
  return JSON.parse(required(readSurface(note).dataset.board, "ranges of a board"));
}

export function isRightToLeft(note: HTMLElement): boolean {
  return getComputedStyle(readSurface(note)).direction === "rtl";
}

type Drag = {
  change(start: Box, inline: number, block: number): Partial<Box>;
  /** The pointer, even beyond the board. */
  follow?(pointer: PointerEvent): void;
  save(note: HTMLElement, end: { start: Box; isCancelled: boolean }): void;
};

/** Changes the box of a note with the pointer. A press without a move saves nothing. */
export function dragBox(event: PointerEvent, note: HTMLElement, { change, follow, save }: Drag): void {
  if (event.button !== 0 || !isOnSurface(note)) return;
  const start = readBox(note);
  let hasMoved = false;
  followPointer(
    event,
    note,
    (inline, block, pointer) => {
      hasMoved = true;
      setBox(note, change(start, inline, block));
      follow?.(pointer);
    },
    (isCancelled) => hasMoved && save(note, { start, isCancelled }),
  );
}

/** Follows one pointer, even outside the note, until it is released. Scrolls near an edge of the board. */
function followPointer(
  event: PointerEvent,
  note: HTMLElement,
  onMove: (inline: number, block: number, pointer: PointerEvent) => void,
  onEnd: (isCancelled: boolean) => void,
): void {
  const handle = event.currentTarget;
  if (!(handle instanceof HTMLElement)) return;
  const direction = isRightToLeft(note) ? -1 : 1;
  const scroller = required(note.closest<HTMLElement>(".board"), "board around a note");
  const zoom = readZoom(readSurface(note));
  const start = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop };
  const controller = new AbortController();
  const { signal } = controller;
  handle.setPointerCapture(event.pointerId);
  note.classList.add("note-moving");
  const boardScroll = new EdgeScroll();
  const follow = (pointer: PointerEvent) =>
    onMove(
      ((pointer.clientX + scroller.scrollLeft - start.x) * direction) / zoom,
      (pointer.clientY + scroller.scrollTop - start.y) / zoom,
      pointer,
    );
  handle.addEventListener(
    "pointermove",
    (pointer) => {
      follow(pointer);
      boardScroll.startScrolling(scroller, measureEdgeDepths(scroller, pointer), () => follow(pointer));
    },
    { signal },
  );
  const end = ({ type }: Event) => {
    boardScroll.stopScrolling();
    controller.abort();
    note.classList.remove("note-moving");
    onEnd(type === "pointercancel");
  };
  handle.addEventListener("pointerup", end, { signal });
  handle.addEventListener("pointercancel", end, { signal });
}

/**
 * Ignores a pointer above the board: the tabs of other boards are there, and a note can be dropped on them without scrolling this board.
 */
function measureEdgeDepths(board: HTMLElement, { clientX, clientY }: PointerEvent): { x: number; y: number } {
  const { left, right, top, bottom } = board.getBoundingClientRect();
  if (clientY < top) return { x: 0, y: 0 };
  return {
    x: measureMarginDepth(clientX, left, right),
    y: measureMarginDepth(clientY, top, Math.min(bottom, innerHeight)),
  };
}
