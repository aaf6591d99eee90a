import { z } from "zod";
import {
  type BodySpec,
  type Condition,
  type Endpoint,
  endpoint,
  type Gate,
  type Returns,
} from "#app/http/api/api.server.ts";
import { REASONS } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/**
 * The OpenAPI 3.1 document of the JSON API, made from the table that answers it, so it describes exactly
 * what the rows take and return.
 */
type Json = Record<string, unknown>;
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
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
export type OpenApi = {
  openapi: "3.1.0";
  info: Json;
  servers: Json[];
  security: Json[];
  tags: Json[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; responses: Json; securitySchemes: Json };
};

/** The first way is the one that generated clients take. */
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

const REFUSED = {
  description: "Refused; see `code`",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
};

export function describeOpenApi(rows: readonly Endpoint[]): OpenApi {
  const schemas: Json = {};
  const shapes = shapesInto(schemas);
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
    tags: [...new Set(rows.map(chooseTag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: { schemas, responses: { Refused: REFUSED }, securitySchemes: SECURITY_SCHEMES },
  };
}

type Shape = Json & { properties?: Record<string, Shape>; required?: string[]; description?: string };
type Shapes = (schema: z.ZodType, io: "input" | "output") => Shape;

/** JSON Schema of a shape; the shapes inside it that have names are said once, among the components. */
function shapesInto(schemas: Json): Shapes {
  return (schema, io) => {
    const made = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
    const {
      $schema: _,
      $defs,
      ...shape
    } = JSON.parse(made.replaceAll('"#/$defs/', '"#/components/schemas/'));
    for (const [name, { id: _id, ...named }] of Object.entries<Json>($defs ?? {})) schemas[name] = named;
    const { id, ...rest } = shape;
    if (id === undefined) return rest;
    schemas[id] = rest;
    return { $ref: `#/components/schemas/${id}` };
  };
}

function describeOperation(row: Endpoint, shapes: Shapes): Operation {
  return {
    operationId: `${row.method.toLowerCase()}${String(row.path).replace(/[^\w]+/g, "_")}`,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [chooseTag(row)],
    security: SECURITY[row.gate],
    parameters: [...pathParameters(row), ...queryParameters(row, shapes), ...headerParameters(row)],
    ...describeBody(row.body, shapes),
    responses: describeResponses(row.returns, shapes),
  };
}

/** The noun of a path: what follows `/api/`. */
const chooseTag = ({ path }: Endpoint) => itemAt(String(path).split("/"), 2).replace(/\.json$/, "");

const TAGS: Record<string, string> = {
  agent: "Instructions for agents.",
  ai: "Explanations of code.",
  alerts: "Alerts that other programs send.",
  code: "Running, formatting and checking programs.",
  favorite: "Stars of files.",
  file: "One file by its id: its details, its text and its versions.",
  files: "Lists of files, files by their paths, and actions on many files.",
  folders: "Folders: listed, made, renamed, moved, shared, deleted and restored.",
  gists: "Import of gists.",
  indexes: "Indexes of the database, for administrators.",
  jobs: "Background jobs and their runs, for administrators.",
  me: "The account that asks.",
  "note-boards": "Boards of notes.",
  observability: "Metrics, events and alerts, for administrators.",
  openapi: "This document.",
  pin: "Pins of files.",
  push: "Devices that get reminders.",
  repos: "Mirrors of repositories, with their files and history.",
  search: "Search in files, notes and mirrors.",
  share: "Links to one file.",
  shared: "Copies of what others share.",
  shares: "All links of the account.",
  stats: "Figures of the library.",
  "sticky-notes": "Notes on files, boards and mirrors, and their reminders.",
  trash: "Deleted files: restored, or deleted forever.",
  tree: "Folders and files by the path of their folder.",
  v1: "Announcements.",
  webhooks: "Calls from code hosts.",
  welcome: "The welcome of a new account.",
};

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

function pathParameters({ path }: Endpoint): Parameter[] {
  const names = [...String(path).matchAll(/[:*](\w+)/g)].map(([, name = ""]) => name);
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Endpoint, shapes: Shapes): Parameter[] {
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

function headerParameters({ conditions = [] }: Endpoint): Parameter[] {
  return conditions.map((name: Condition) => ({
    name,
    in: "header",
    required: false,
    description: CONDITIONS[name],
    schema: { type: "string" },
  }));
}

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
    return { requestBody: { required: true, content: { "application/octet-stream": { schema } } } };
  }
  const shape = "deferred" in body ? body.deferred : body;
  const required = !shape.safeParse(undefined).success;
  return { requestBody: { required, content: { "application/json": { schema: shapes(shape, "input") } } } };
}

function describeResponses(returns: Returns, shapes: Shapes): Operation["responses"] {
  const good = Object.entries(returns).map(([status, answer]) => {
    if (answer === null) return [status, { description: "Done, no content" }];
    const [type, schema] =
      typeof answer === "string" ? [answer, {}] : ["application/json", shapes(answer, "output")];
    return [status, { description: "Done", content: { [type]: { schema } } }];
  });
  const refused = { $ref: "#/components/responses/Refused" };
  return { ...Object.fromEntries(good), "4XX": refused, "5XX": refused };
}

/** The endpoint of the document itself. */
export function withOpenApi(rows: readonly Endpoint[]): readonly Endpoint[] {
  let document: OpenApi | undefined;
  const all: readonly Endpoint[] = [
    ...rows,
    endpoint({
      method: "GET",
      path: "/api/openapi.json",
      gate: "public",
      summary: "Get this document",
      returns: { 200: z.looseObject({ openapi: z.literal("3.1.0") }) },
      answer: async () => (document ??= describeOpenApi(all)),
    }),
  ];
  return all;
}
