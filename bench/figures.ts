/** What a part of the bench found, as rows of the one table that a run ends with. */
export type Figure = {
  what: string;
  ours: number;
  unit: string;
  /** The same thing without the product, measured in the same run. */
  baseline?: number;
  goal?: Goal;
};

/** A bound of our figure, or of its ratio to the baseline. */
export type Goal = { atMost?: number; atLeast?: number; of?: "ours" | "ratio" };

export type Row = {
  part: string;
  what: string;
  ours: number;
  baseline: number | null;
  ratio: number | null;
  unit: string;
  goal?: string;
  met?: boolean;
};

export type Part = { run(): Promise<Figure[]> };

export function toRow(part: string, { what, ours, unit, baseline, goal }: Figure): Row {
  const ratio = baseline === undefined ? null : ours / baseline;
  const row = { part, what, ours, baseline: baseline ?? null, ratio, unit };
  if (!goal) return row;
  const bounded = goal.of === "ratio" ? ratio : ours;
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  const bounds = [
    ...(goal.atMost === undefined ? [] : [`≤ ${goal.atMost}`]),
    ...(goal.atLeast === undefined ? [] : [`≥ ${goal.atLeast}`]),
  ].join(", ");
  return {
    ...row,
    goal: goal.of === "ratio" ? `${bounds} of the baseline` : bounds,
    met: bounded !== null && bounded <= atMost && bounded >= atLeast,
  };
}

const rounded = (value: number | null) => (value === null ? "" : Number(value.toPrecision(3)).toString());
const MET = { true: "yes", false: "no", undefined: "" } as const;

export function toTable(rows: readonly Row[]): string {
  const lines = rows.map(({ part, what, ours, unit, baseline, ratio, goal = "", met }) =>
    [part, what, rounded(ours), unit, rounded(baseline), rounded(ratio), goal, MET[`${met}`]].join(" | "),
  );
  const head = "part | what | ours | unit | baseline | ratio | goal | met";
  return [head, "---|---|---|---|---|---|---|---", ...lines].map((line) => `| ${line} |`).join("\n");
}
