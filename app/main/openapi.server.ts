import { z } from "zod";
import { addFieldDescriptions } from "#app/main/field-meanings.server.ts";
import {
  type BodySpec,
  type Condition,
  type Endpoint,
  endpoint,
  type Gate,
  type Returns,
} from "#app/web/api/api.server.ts";
import { ANY_CALL, listRefusals } from "#app/web/api/row-refusals.server.ts";
import { REASONS, type RefusalCode } from "#domain/refusal.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** Generates the OpenAPI 3.1 document from the table that answers the API, so it describes exactly what the rows take and return. */
type Json = Record<string, unknown>;
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: ApiGroup[];
  security: Json[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Json & { content?: Record<string, { schema: Json }> }>;
};
type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Json;
};
type OpenApi = {
  openapi: "3.1.0";
  info: Json;
  servers: Json[];
  security: Json[];
  tags: Json[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; responses: Json; securitySchemes: Json };
};

/** Generated clients use the first entry. */
const SECURITY: Record<Gate, Json[]> = {
  public: [{}, { token: [] }, { session: [] }],
  user: [{ token: [] }, { session: [] }],
  admin: [{ session: [] }],
};

const SECURITY_SCHEMES = {
  session: { type: "apiKey", in: "cookie", name: "session", description: "`__Host-session` over https." },
  token: {
    type: "http",
    scheme: "bearer",
    description: "A personal access token from the settings; read tokens allow GET and HEAD only.",
  },
};

const refusalShape = z
  .looseObject({
    error: z.string(),
    code: z.enum(Object.keys(REASONS)),
    message: z.string().optional(),
  })
  .meta({ id: "Refusal", description: "The error, its code and context." });

const REFUSAL = { $ref: "#/components/schemas/Refusal" };
const toRefusalSchema = (codes: readonly RefusalCode[]) => ({
  allOf: [REFUSAL, { properties: { code: { enum: codes } } }],
});
const REFUSED_ANYWHERE = {
  description: `Refused; see \`code\`. Any call may answer ${ANY_CALL.join(", ")}.`,
  content: { "application/json": { schema: toRefusalSchema(ANY_CALL) } },
};

export function describeOpenApi(rows: readonly GroupedEndpoint[]): OpenApi {
  const schemas: Json = {};
  const shapes = createSchemaCollector(schemas);
  shapes(refusalShape, "output");
  const paths: OpenApi["paths"] = {};
  for (const row of rows) {
    const path = String(row.path).replace(/[:*](\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeOperation(row, shapes) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Codeshelf",
      version: "1",
      description: "The JSON API of a personal library of code files.",
      license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" },
    },
    servers: [{ url: "/" }],
    security: SECURITY.user,
    tags: Object.entries(API_GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, responses: { Refused: REFUSED_ANYWHERE }, securitySchemes: SECURITY_SCHEMES },
  };
}

type Shape = Json & { properties?: Record<string, Shape>; required?: string[]; description?: string };
type Shapes = (schema: z.ZodType, io: "input" | "output") => Shape;

/** Returns a function that makes JSON Schemas. Named shapes are added to the components once and referenced. */
function createSchemaCollector(schemas: Json): Shapes {
  return (schema, io) => {
    const json = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
    const {
      $schema: _,
      $defs,
      ...shape
    } = JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/'));
    const withDescriptions = (fields: Json) => (io === "input" ? addFieldDescriptions(fields) : fields);
    for (const [name, { id: _id, ...definition }] of Object.entries<Json>($defs ?? {}))
      schemas[name] = withDescriptions(definition);
    const { id, ...unnamed } = shape;
    if (id === undefined) return withDescriptions(unnamed);
    schemas[id] = withDescriptions(unnamed);
    return { $ref: `#/components/schemas/${id}` };
  };
}

function describeOperation(row: GroupedEndpoint, shapes: Shapes): Operation {
  return {
    operationId: `${row.method.toLowerCase()}${String(row.path).replace(/[^\w]+/g, "_")}`,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.group],
    security: SECURITY[row.gate],
    parameters: [...toPathParameters(row), ...toQueryParameters(row, shapes), ...toHeaderParameters(row)],
    ...describeBody(row.body, shapes),
    responses: { ...describeAnswers(row.returns, shapes), ...describeRefusals(listRefusals(row)) },
  };
}

export const API_GROUPS = {
  Files: "Files by their paths and ids, with their versions, stars, pins and the trash.",
  Folders: "Folders: listed, made, renamed, moved, shared, deleted and restored.",
  Search: "Search in files, notes and mirrors.",
  Notes: "Notes on files, boards and mirrors.",
  Reminders: "Reminders of notes, and the devices that get them.",
  Links: "Links to files and folders, and copies of what others share.",
  Mirrors: "Mirrors of repositories, with their files and history.",
  Code: "Running, formatting, checking and explaining programs.",
  Account: "The account that asks: who it is, its figures, and what it was told.",
  Administration: "Background jobs, metrics, events and alerts, for administrators.",
  Reference: "This document.",
} as const;
export type ApiGroup = keyof typeof API_GROUPS;
type GroupedEndpoint = Endpoint & { group: ApiGroup };

const PATH_PARAMETERS: Record<string, string> = {
  alert_uid: "Id of the alert.",
  announcement_id: "Id of the announcement.",
  board_id: "Id of the board.",
  file_id: "Id of the file.",
  folder_id: "Id of the folder.",
  job_id: "Name of the job, such as `backup`.",
  note_id: "Id of the note.",
  path: "Path of the file in the library, such as `src/hello.py`. Encoded slashes work, too.",
  repo_name: "Name of the mirror with its slash encoded: `owner%2Fname`.",
  repo_path: "Path of the file in the mirror. Encoded slashes work, too.",
  run_id: "Id of the run.",
  share_id: "Id of the link.",
};

function toPathParameters({ path }: Endpoint): Parameter[] {
  const names = [...String(path).matchAll(/[:*](\w+)/g)].map(([, name = ""]) => name);
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: "string" },
  }));
}

function toQueryParameters({ query }: Endpoint, shapes: Shapes): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = shapes(query, "input");
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
}

const CONDITIONS: Record<Condition, string> = {
  "If-Match": "The ETag that the file must still have.",
  "If-None-Match": "An ETag that the file must not have; `*` stands for any.",
  "If-Unmodified-Since": "The date (`Last-Modified`) after which the file must not have changed.",
};

function toHeaderParameters({ conditions = [] }: Endpoint): Parameter[] {
  return conditions.map((name: Condition) => ({
    name,
    in: "header",
    required: false,
    description: CONDITIONS[name],
    schema: { type: "string" },
  }));
}

/** The parts may have any name. */
const FORM = { type: "object", additionalProperties: { type: "string", format: "binary" } };

function describeBody(body: BodySpec, shapes: Shapes): Pick<Operation, "requestBody"> {
  if (body === undefined) return {};
  if ("rawMaxBytes" in body) {
    if (body.json)
      return {
        requestBody: {
          required: true,
          content: { "application/json": { schema: shapes(body.json, "input") } },
        },
      };
    const schema = { type: "string", description: `Text in UTF-8, ${body.rawMaxBytes} bytes at most.` };
    const { type = "application/octet-stream" } = body;
    return {
      requestBody: {
        required: true,
        content: { [type]: { schema: type.startsWith("multipart/") ? FORM : schema } },
      },
    };
  }
  const shape = "deferred" in body ? body.deferred : body;
  const required = !shape.safeParse(undefined).success;
  return { requestBody: { required, content: { "application/json": { schema: shapes(shape, "input") } } } };
}

function describeAnswers(returns: Returns, shapes: Shapes): Operation["responses"] {
  const answers = Object.entries(returns).map(([status, answer]) => {
    if (answer === null) return [status, { description: "Done, no content" }];
    const [type, schema] =
      typeof answer === "string" ? [answer, {}] : ["application/json", shapes(answer, "output")];
    return [status, { description: "Done", content: { [type]: { schema } } }];
  });
  return Object.fromEntries(answers);
}

function describeRefusals(codes: readonly RefusalCode[]): Operation["responses"] {
  const responses = ["4", "5"].map((hundred) => {
    const isOfHundred = (code: RefusalCode) => String(REASONS[code].status).startsWith(hundred);
    const own = codes.filter(isOfHundred);
    const schema = toRefusalSchema([...own, ...ANY_CALL.filter(isOfHundred)]);
    const ownResponse = {
      description: `Refused: ${own.join(", ")}`,
      content: { "application/json": { schema } },
    };
    return [`${hundred}XX`, own.length > 0 ? ownResponse : { $ref: "#/components/responses/Refused" }];
  });
  return Object.fromEntries(responses);
}

type Groups = Record<Exclude<ApiGroup, "Reference">, readonly Endpoint[]>;

export function addOpenApiEndpoint(groups: Groups): readonly GroupedEndpoint[] {
  let document: OpenApi | undefined;
  const reference = endpoint({
    method: "GET",
    path: "/api/openapi.json",
    gate: "public",
    summary: "Get this document",
    returns: { 200: z.looseObject({ openapi: z.literal("3.1.0") }) },
    answer: async () => (document ??= describeOpenApi(all)),
  });
  const grouped: Record<ApiGroup, readonly Endpoint[]> = { ...groups, Reference: [reference] };
  const all = listKeys(API_GROUPS).flatMap((group) => grouped[group].map((row) => ({ ...row, group })));
  return all;
}
