import { describeOpenApi, type OpenApi, type Operation } from "#app/http/api/openapi.server.ts";
import { endpoints } from "#app/http/api/table.server.ts";
import { itemAt } from "#domain/required.ts";

type Parameter = Omit<Operation["parameters"][number], "schema">;

/** One endpoint as its reader sees it: schemas are text already. */
type Described = {
  method: string;
  path: string;
  summary: string;
  description: string | null;
  access: "public" | "user" | "admin";
  parameters: Parameter[];
  body: string | null;
  answers: { status: string; shape: string | null }[];
};

type DescribedNoun = { noun: string; operations: Described[] };

let nouns: DescribedNoun[] | undefined;

/** Every endpoint by its noun. The table does not change while the process runs, so it is described once. */
export function describedApi(): DescribedNoun[] {
  nouns ??= byNoun(describeOpenApi(endpoints));
  return nouns;
}

function byNoun({ paths }: OpenApi): DescribedNoun[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const grouped = Map.groupBy(all, ({ operation }) => itemAt(operation.tags, 0));
  return [...grouped].map(([noun, rows]) => ({
    noun,
    operations: rows.map(({ path, method, operation }) => described(path, method, operation)),
  }));
}

function described(path: string, method: string, operation: Operation): Described {
  const { summary, description = null, parameters, requestBody, responses, security } = operation;
  return {
    method: method.toUpperCase(),
    path,
    summary,
    description,
    access: describeAccess(security),
    parameters: parameters.map(({ schema: _, ...parameter }) => parameter),
    body: schemaText(requestBody?.content),
    answers: Object.entries(responses)
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, { content }]) => ({ status, shape: schemaText(content) })),
  };
}

function describeAccess(security: object[]): Described["access"] {
  if (security.some((way) => Object.keys(way).length === 0)) return "public";
  return security.some((way) => "token" in way) ? "user" : "admin";
}

type Contents = Record<string, { schema: object }>;

/** The schema of JSON, or the name of any other kind of content. */
function schemaText(contents: Contents | undefined): string | null {
  const [entry] = Object.entries(contents ?? {});
  if (!entry) return null;
  const [type, { schema }] = entry;
  return type === "application/json" ? JSON.stringify(schema, null, 2) : type;
}
