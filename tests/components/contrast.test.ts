import { describe, expect, it } from "vitest";
import { contrast, RULES, resolveColour, THEMES, type Theme } from "./colour-tokens.ts";

const TEXT_MIN = 4.5;
const GRAPHIC_MIN = 3;

const listValues = (...properties: string[]) =>
  new Set(RULES.flatMap(({ declarations }) => properties.map((name) => declarations.get(name) ?? "inherit")));
const readGround = ({ declarations }: (typeof RULES)[number]) =>
  declarations.get("background") ?? declarations.get("background-color");

const isToken = (value: string) => /^var\(--[\w-]+\)$/.test(value);
/** Values without a colour of ours: the system's own, and inherited or transparent ones. */
const NO_COLOUR_OF_OURS = /^(inherit|transparent|none|currentcolor|SelectedItem(Text)?|Mark(Text)?)$/i;

/** Text colours that are legible only on their own background, which the same rule must set. */
const ON_OWN_GROUND = ["var(--on-accent)", "var(--surface)", "var(--note-ink)"];

/** Backgrounds without text, except in rules that set both. */
const WITHOUT_TEXTS: Record<string, string> = {
  "var(--accent)": "a button, a tick or a bar",
  "var(--accent-hover)": "a button",
  "var(--good)": "a dot of a state",
  "var(--caution)": "a dot of a state or a bar",
  "var(--wrong)": "a badge or a dot of a state",
  "var(--text-soft)": "a dot of a state",
  "var(--border)": "a rule across the text",
  "var(--dot)": "the dot of a language, whose name is said beside it",
  "var(--shade)": "what lies behind a dialog",
  "var(--backdrop-light)": "what lies behind a drawing",
  "var(--backdrop-dark)": "what lies behind a drawing",
};

/** Backgrounds that are mixed or drawn from others. */
const MIXED = [
  "color-mix(in srgb, var(--page) 85%, transparent)",
  "color-mix(in srgb, var(--note-ink) 12%, transparent)",
  "radial-gradient(var(--border) var(--thin), transparent var(--thin)) 0 0 / 1.5rem 1.5rem var(--surface)",
  "repeating-conic-gradient(var(--backdrop-light) 0 25%, var(--backdrop-check) 0 50%) 0 0 / 1.5rem 1.5rem",
  "linear-gradient(135deg, transparent 60%, var(--note-edge) 60%)",
  "linear-gradient(225deg, transparent 60%, var(--note-edge) 60%)",
];

const TEXTS = [...listValues("color")].filter((value) => isToken(value) && !ON_OWN_GROUND.includes(value));
const GROUNDS = [...listValues("background", "background-color")].filter(
  (value) => isToken(value) && value !== "var(--note-paper)" && !(value in WITHOUT_TEXTS),
);
const PAPERS = [...listValues("--note-paper")].filter(isToken);
// A note's text has one colour, including its code.
const ON_PAPER = TEXTS.filter((text) => !text.startsWith("var(--code-"));

/** Graphics that carry meaning; `--border` only divides what is separate anyway. */
const GRAPHICS = [
  ...[...listValues("border-color", "outline-color", "fill", "stroke", "accent-color")].filter(
    (value) => isToken(value) && !["var(--border)", "var(--surface-sunk)"].includes(value),
  ),
  ...["var(--border-control)", "var(--focus)", "var(--good)", "var(--wrong)"],
];
const BEHIND_GRAPHICS = ["var(--page)", "var(--surface)", "var(--surface-sunk)"];

type Pair = readonly [front: string, behind: string];
const pairs = (fronts: readonly string[], grounds: readonly string[]): Pair[] =>
  fronts.flatMap((front) => grounds.map((behind) => [front, behind] as const));

const PAIRED_BY_RULES = RULES.flatMap((rule): Pair[] => {
  const [front, behind] = [rule.declarations.get("color"), readGround(rule)];
  return front && behind && isToken(front) && isToken(behind) && front !== "var(--note-ink)"
    ? [[front, behind]]
    : [];
});
const TEXT_PAIRS = [...pairs(TEXTS, GROUNDS), ...pairs(ON_PAPER, PAPERS), ...PAIRED_BY_RULES];

function palePairs(theme: Theme, all: readonly Pair[], least: number): string[] {
  const pale = all
    .map(
      ([front, behind]) =>
        [front, behind, contrast(resolveColour(front, theme), resolveColour(behind, theme))] as const,
    )
    .filter(([, , ratio]) => ratio < least);
  return [...new Set(pale.map(([front, behind, ratio]) => `${front} on ${behind} has ${ratio.toFixed(2)}`))];
}

describe("colours", () => {
  it("are set by named properties, so that the tests below miss none", () => {
    const texts = [...listValues("color")].filter(
      (value) => !isToken(value) && !NO_COLOUR_OF_OURS.test(value),
    );
    const grounds = [...listValues("background", "background-color")].filter(
      (value) => !isToken(value) && !NO_COLOUR_OF_OURS.test(value) && !MIXED.includes(value),
    );
    expect({ texts, grounds }).toEqual({ texts: [], grounds: [] });
    expect(TEXTS.length).toBeGreaterThan(10);
    expect(GROUNDS.length).toBeGreaterThan(6);
    expect(PAPERS.length).toBeGreaterThan(5);
    expect(THEMES.length).toBeGreaterThanOrEqual(10);
  });

  it("of texts that need a background of their own are in a rule that sets one", () => {
    const grounded = new Set(RULES.filter(readGround).map(({ selector }) => selector));
    const groundless = RULES.filter(
      ({ selector, declarations }) =>
        ON_OWN_GROUND.includes(declarations.get("color") ?? "") &&
        !grounded.has(selector) &&
        !grounded.has(selector.replace(/:[a-z-]+$/, "")),
    );
    expect(groundless.map(({ sheet, selector }) => `${sheet} ${selector}`)).toEqual([]);
  });

  it.each(THEMES)("of texts have a contrast of 4.5 on every background: $name", (theme) => {
    expect(palePairs(theme, TEXT_PAIRS, TEXT_MIN)).toEqual([]);
  });

  it.each(THEMES)("of controls and signs have a contrast of 3 on the page: $name", (theme) => {
    expect(palePairs(theme, pairs(GRAPHICS, BEHIND_GRAPHICS), GRAPHIC_MIN)).toEqual([]);
  });

  it("are measured as WCAG measures them", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
  });
});
