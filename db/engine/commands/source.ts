/** First stages that bring their documents along: pipelines over no collection, `{aggregate: 1}`. */
import { compileExpression, newScope } from "../expression/expression.ts";
import { show } from "../expression/numbers.ts";
import { fail } from "../values/errors.ts";
import { type Doc, isDoc, isTruthy, type Value } from "../values/values.ts";
import { letField, now, type Request } from "./request.ts";

type Source = (spec: Value, request: Request) => Doc[];

/** An expression that sees no document and gives a list of documents. */
function documents(spec: Value, { fields }: Request): Doc[] {
  const found = compileExpression(spec, letField(fields))(newScope(new Map(), now()));
  if (!Array.isArray(found)) fail(5858203, "an array is expected of $documents");
  return found.map((document) =>
    isDoc(document) ? document : fail(40228, `$documents are objects, but found: ${show(document)}`),
  );
}

/** One user, or nobody, has all sessions: whose are asked for makes no difference. */
function listLocalSessions(spec: Value, { engine, fields }: Request): Doc[] {
  if (isTruthy(fields.get("apiStrict"))) fail(323, "$listLocalSessions is not in API Version 1");
  if (!isDoc(spec) || [...spec.keys()].some((name) => name !== "allUsers"))
    fail(72, "$listLocalSessions of chosen users is not supported by the embedded engine");
  return engine.sessions.list(engine.account ? `${engine.account.user}@admin` : "", Date.now());
}

const SOURCES: Readonly<Record<string, Source>> = {
  $documents: documents,
  $listLocalSessions: listLocalSessions,
};

export interface Sourced {
  documents: Doc[];
  /** The stages behind it. */
  rest: Value[];
}

export function splitSource(pipeline: Value[], request: Request): Sourced {
  const [first, ...rest] = pipeline;
  const [name, spec] = isDoc(first) ? [...first][0] : fail(9, "{aggregate: 1} needs a pipeline");
  if (!Object.hasOwn(SOURCES, name))
    fail(73, `{aggregate: 1} is not valid for '${name}'; a collection is required.`);
  return { documents: SOURCES[name](spec, request), rest };
}

/** Over a collection its documents come first. */
export function checkSource(pipeline: Value[]): void {
  const name = isDoc(pipeline[0]) ? [...pipeline[0].keys()][0] : undefined;
  if (name !== undefined && Object.hasOwn(SOURCES, name))
    fail(73, `${name} must be run against a database with {aggregate: 1}, not a collection`);
}
