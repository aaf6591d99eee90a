import { endpoints } from "#app/main/api-table.server.ts";
import { API_GROUPS, type ApiGroup, describeOpenApi, type Operation } from "#app/main/openapi.server.ts";
import { ANY_CALL, listRefusals } from "#app/web/api/row-refusals.server.ts";
import { REASONS, type RefusalCode } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { listKeys } from "#domain/typed-keys.ts";
import { toCurlCommand } from "./curl-line.server.ts";
import {
  describeField,
  type Field,
  isShape,
  listFields,
  type Schema,
  type Schemas,
} from "./schema-fields.server.ts";

type Parameter = Field & { place: Operation["parameters"][number]["in"] };
type Content = { type: string | null; shape: string | null; fields: Field[] };

type DescribedOperation = {
  method: string;
  path: string;
  summary: string;
  description: string | null;
  access: "public" | "user" | "admin";
  parameters: Parameter[];
  body: Content | null;
  answers: (Content & { status: string })[];
  refusals: RefusalCode[];
  curl: { options: string; address: string };
};
type DescribedError = { code: RefusalCode; status: number; meaning: string };
type DescribedApi = {
  groups: { group: ApiGroup; operations: DescribedOperation[] }[];
  shapes: { name: string; meaning: string; fields: Field[] }[];
  anyCall: readonly RefusalCode[];
  errors: DescribedError[];
};

let api: DescribedApi | undefined;

/** Describes all endpoints by group. It does so once, because the table does not change while the process runs. */
export function describeApi(): DescribedApi {
  api ??= describeAll();
  return api;
}

function describeAll(): DescribedApi {
  const { paths, components } = describeOpenApi(endpoints);
  const schemas = components.schemas as Schemas;
  const all = endpoints.map((row) => {
    const path = String(row.path).replace(/[:*](\w+)/g, "{$1}");
    const operation = required(paths[path]?.[row.method.toLowerCase()]);
    return { row, path, operation };
  });
  const operations = Map.groupBy(all, ({ row }) => row.group);
  return {
    groups: listKeys(API_GROUPS).map((group) => ({
      group,
      operations: (operations.get(group) ?? []).map(({ row, path, operation }) => ({
        ...describeCall(row.method, path, operation, schemas),
        refusals: listRefusals(row),
      })),
    })),
    shapes: Object.entries(schemas)
      .filter(([, schema]) => isShape(schema))
      .map(([name, schema]) => ({
        name,
        meaning: schema.description ?? "",
        fields: listFields(schema, schemas),
      })),
    anyCall: ANY_CALL,
    errors: listErrors(endpoints.flatMap(listRefusals)),
  };
}

function listErrors(codes: RefusalCode[]): DescribedError[] {
  const usedCodes = [...new Set([...codes, ...ANY_CALL])];
  return usedCodes
    .map((code) => {
      const { status, error, message }: (typeof REASONS)[RefusalCode] & { message?: string } = REASONS[code];
      return { code, status, meaning: message ?? error };
    })
    .toSorted((a, b) => a.status - b.status);
}

function describeCall(
  method: string,
  path: string,
  operation: Operation,
  schemas: Schemas,
): Omit<DescribedOperation, "refusals"> {
  const { summary, description = null, parameters, requestBody, responses, security } = operation;
  const access = describeAccess(security);
  const body = findContent(requestBody?.content);
  const answers = Object.entries(responses)
    .filter(([status]) => /^\d+$/.test(status))
    .map(([status, { content }]) => ({ status, content: findContent(content as Contents | undefined) }));
  const answerType = answers[0]?.content?.type ?? null;
  return {
    method,
    path,
    summary,
    description,
    access,
    parameters: parameters.map(({ name, in: place, required, description, schema }) => ({
      ...describeField(name, { description, ...schema }, required, schemas),
      place,
    })),
    body: body && describeContent(body, schemas),
    answers: answers.map(({ status, content }) => ({ status, ...describeContent(content, schemas) })),
    curl: toCurlCommand({ method, path, access, parameters, body, answerType }, schemas),
  };
}

function describeAccess(security: object[]): DescribedOperation["access"] {
  if (security.some((scheme) => Object.keys(scheme).length === 0)) return "public";
  return security.some((scheme) => "token" in scheme) ? "user" : "admin";
}

type Contents = Record<string, { schema: Schema }>;
type FoundContent = { type: string; schema: Schema };

function findContent(contents: Contents | undefined): FoundContent | null {
  const [entry] = Object.entries(contents ?? {});
  return entry ? { type: entry[0], schema: entry[1].schema } : null;
}

function describeContent(content: FoundContent | null, schemas: Schemas): Content {
  if (!content) return { type: null, shape: null, fields: [] };
  const { type, schema } = content;
  const field = describeField("", schema, true, schemas);
  if (type !== "application/json") return { type: field.meaning || type, shape: null, fields: [] };
  const fields = [schema, ...(schema.anyOf ?? [])].flatMap((part) => listFields(part, schemas));
  return { type: fields.length > 0 ? null : field.type, shape: field.shape, fields };
}
