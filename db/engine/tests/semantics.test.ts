/**
 * The engine against expectations that another MongoDB-compatible engine recorded. They are kept outside of
 * the repository: CONFORMANCE_DIR names the directory that holds semantics.json.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileStages } from "../aggregate/aggregate.ts";
import { EXPRESSION_OPERATORS } from "../expression/expression.ts";
import { compileFilter, QUERY_OPERATORS } from "../filter/match.ts";
import { FIELD_OPERATORS } from "../filter/match-fields.ts";
import { PUSH_CLAUSES } from "../update/arrays.ts";
import { compileUpdate, seedFromQuery, UPDATE_OPERATORS } from "../update/update.ts";
import { encode } from "../values/bson.ts";
import { EngineError } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, Int32, isNumber, toNumber, type Value } from "../values/values.ts";
import { docFromEjson, fromEjson } from "./ejson.ts";
import { drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";
import { SET_ASIDE } from "./set-aside.ts";

needsEngine("it tests functions of the engine");

interface Case {
  kind: "match" | "update" | "expr";
  error: string | null;
  want: unknown;
  query?: unknown;
  docs?: string;
  doc?: unknown;
  update?: unknown;
  arrayFilters?: unknown[] | null;
  insert?: boolean;
  project?: unknown;
}
interface Recording {
  collections: Record<string, unknown[]>;
  cases: Case[];
}

function bytes(value: Value): string {
  return encode(new Map([["value", value]])).toString("hex");
}

/** The wrappers of types that this engine refuses. */
const REFUSED_TYPES =
  /"\$(?:numberDecimal|regularExpression|timestamp|minKey|maxKey|undefined|symbol|code|dbPointer)"/;

/** Documents with such a value cannot be in this engine: they leave the set and the expectation. */
function storable(documents: unknown[]): { documents: Doc[]; isStored(id: unknown): boolean } {
  const lost = new Set<string>();
  const out: Doc[] = [];
  for (const document of documents) {
    if (REFUSED_TYPES.test(JSON.stringify(document)))
      lost.add(JSON.stringify((document as { _id: unknown })._id));
    else out.push(docFromEjson(document));
  }
  return { documents: out, isStored: (id) => !lost.has(JSON.stringify(id)) };
}

type Runner = (row: Case, recording: Recording) => { got: Value; want: Value };

const RUNNERS: Record<Case["kind"], Runner> = {
  match(row, { collections }) {
    const { documents, isStored } = storable(present(collections[present(row.docs)]));
    const filter = compileFilter(docFromEjson(row.query));
    const matches = documents.filter((document) => filter.matches(document));
    const wanted = ((row.want as unknown[] | null) ?? []).filter(isStored);
    const sorted = (ids: Value[]) => ids.toSorted((a, b) => (bytes(a) < bytes(b) ? -1 : 1));
    return {
      got: sorted(matches.map((document) => document.get("_id") as Value)),
      want: sorted(wanted.map(fromEjson)),
    };
  },
  update(row) {
    const query = docFromEjson(row.query ?? {});
    const update = compileUpdate(fromEjson(row.update));
    const insert = row.insert === true;
    const document = insert ? seedFromQuery(query, update.replaces) : docFromEjson(row.doc);
    const position = insert ? undefined : compileFilter(query).position(document);
    const got = update.apply(document, { insert, position });
    return { got, want: fromEjson(row.want) };
  },
  expr(row) {
    const project: Doc = new Map([["$project", fromEjson(row.project)]]);
    const stage = present(compileStages([project], { checkTime: () => {} })[0]);
    let got: Doc = new Map();
    stage.push(docFromEjson(row.doc), (document) => {
      got = document;
      return true;
    });
    return { got, want: fromEjson(row.want) };
  },
};

type Verdict = "passed" | "alike" | "failed" | "refused";

/**
 * The recording writes every whole number that fits as int32, whatever it was. So where it says int32 an
 * equal int64 or double is alike; where it says anything else, the type counts.
 */
function isAlike(got: Value, want: Value): boolean {
  if (want instanceof Int32) return isNumber(got) && toNumber(got) === want.value;
  if (want instanceof Map && got instanceof Map) {
    const others = [...got];
    const same = ([name, value]: [string, Value], i: number) =>
      present(others[i])[0] === name && isAlike(present(others[i])[1], value);
    return others.length === want.size && [...want].every(same);
  }
  if (Array.isArray(want) && Array.isArray(got))
    return got.length === want.length && want.every((item, i) => isAlike(present(got[i]), item));
  return bytes(got) === bytes(want);
}

function compared(got: Value, want: Value): { verdict: Verdict; detail: string } {
  if (bytes(got) === bytes(want)) return { verdict: "passed", detail: "" };
  if (isAlike(got, want)) return { verdict: "alike", detail: "" };
  return { verdict: "failed", detail: `got ${bytes(got)}, want ${bytes(want)}` };
}

/** The engine must refuse types and operators that it does not have, although the case expects an answer. */
function mustBeRefused(row: Case): boolean {
  const documents = [row.query, row.update, row.project];
  const text = JSON.stringify([...documents, row.doc, row.kind === "match" ? null : row.want]);
  if (REFUSED_TYPES.test(text)) return true;
  const knownNames = KNOWN_NAMES[Array.isArray(row.update) ? "pipeline" : row.kind];
  return documents.flatMap(operatorNames).some((name) => !knownNames.has(name));
}

/** How a form of an operator is refused that the engine does not have. */
const NOT_IMPLEMENTED = 238;

const QUERY_NAMES = [...QUERY_OPERATORS, ...FIELD_OPERATORS, ...EXPRESSION_OPERATORS];
const KNOWN_NAMES: Record<Case["kind"] | "pipeline", ReadonlySet<string>> = {
  match: new Set(QUERY_NAMES),
  update: new Set([...QUERY_NAMES, ...UPDATE_OPERATORS, ...PUSH_CLAUSES]),
  pipeline: new Set(["$set", ...EXPRESSION_OPERATORS]),
  expr: new Set(EXPRESSION_OPERATORS),
};
const JSON_NAMES =
  /^\$(?:number|date$|oid$|binary$|regularExpression$|timestamp$|minKey$|maxKey$|undefined$|uuid$|symbol$|code$|scope$|dbPointer$)/;

/** Every name that begins with a dollar, `$[` and what follows it in the path of an update among them. */
function operatorNames(json: unknown): string[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => [
    ...(name.startsWith("$") && !JSON_NAMES.test(name) ? [name] : []),
    ...(name.includes(".$[") ? [name.slice(name.indexOf("$["))] : []),
    ...(name === "$literal" ? [] : operatorNames(value)),
  ]);
}

function judge(row: Case, recording: Recording): { verdict: Verdict; detail: string } {
  try {
    const { got, want } = RUNNERS[row.kind](row, recording);
    if (row.error !== null)
      return { verdict: "failed", detail: `answered ${bytes(got)} where an error is wanted` };
    return compared(got, want);
  } catch (error) {
    if (!(error instanceof EngineError)) return { verdict: "failed", detail: String((error as Error).stack) };
    if (error.code === NOT_IMPLEMENTED || mustBeRefused(row)) return { verdict: "refused", detail: "" };
    return { verdict: row.error === null ? "failed" : "passed", detail: `${error.code} ${error.message}` };
  }
}

function identity(row: Case): string {
  return createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, 12);
}

const directory = process.env.CONFORMANCE_DIR;
const file = directory ? join(directory, "semantics.json") : undefined;

if (!file || !existsSync(file)) {
  console.info("No outside cases: set CONFORMANCE_DIR to the directory that holds semantics.json.");
  test.skip("outside cases for the engine (CONFORMANCE_DIR is not set)", () => {});
} else {
  const recording = JSON.parse(readFileSync(file, "utf8")) as Recording;
  describe.each(["match", "update", "expr"] as const)("recorded %s cases", (kind) => {
    const cases = recording.cases.filter((row) => row.kind === kind);
    const judged = drawRows(kind, cases).map((row) => ({
      one: row,
      id: identity(row),
      ...judge(row, recording),
    }));
    const counted = judged.filter(({ id }) => !(id in SET_ASIDE));

    test("are answered as recorded or refused", () => {
      const failed = counted.filter(({ verdict }) => verdict === "failed");
      const count = (verdict: Verdict) => counted.filter((each) => each.verdict === verdict).length;
      const aside = judged.length - counted.length;
      console.info(
        `${kind}: ${count("passed")} passed, ${count("alike")} alike but for a lost number type, ${count("refused")} refused because the engine lacks what they ask, ${failed.length} failed, ${aside} set aside`,
      );

      expect(failed.map(({ id, one: row, detail }) => ({ id, case: JSON.stringify(row), detail }))).toEqual(
        [],
      );
    });

    test("are set aside only while they fail", () => {
      const needless = judged.filter(({ id, verdict }) => id in SET_ASIDE && verdict !== "failed");

      expect(needless.map(({ id }) => id)).toEqual([]);
    });
  });
}
