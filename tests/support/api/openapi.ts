/** Compares the product's answers with the API's document. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { endpoints } from "#app/main/api-table.server.ts";
import { describeOpenApi } from "#app/main/openapi.server.ts";
import { required } from "#domain/required.ts";

export const openApi = describeOpenApi(endpoints);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(openApi, "openapi");

const REFUSAL = "/components/schemas/Refusal";
const ANYWHERE = `/components/responses/Refused/content/${encodeURIComponent("application~1json")}/schema`;
const paths = Object.keys(openApi.paths).map((path) => ({
  path,
  // A parameter that ends in `path` matches the rest of the address, slashes included.
  pattern: new RegExp(
    `^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, (_, name) => (name.endsWith("path") ? ".+" : "[^/]+"))}$`,
  ),
}));
const validators = new Map<string, ValidateFunction>();

function findValidator(pointer: string): ValidateFunction {
  const validator = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
  validators.set(pointer, validator);
  return validator;
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

function findPointer(method: string, pathname: string, status: number): string | null {
  const row = paths.find(
    ({ path, pattern }) => pattern.test(pathname) && method in required(openApi.paths[path]),
  );
  if (status >= 400) return row ? refusalPointer(row.path, method, status) : REFUSAL;
  const answers = row && required(required(openApi.paths[row.path])[method]).responses[status];
  if (!answers) return null;
  return `/paths/${escaped(row.path)}/${method}/responses/${status}/content/${escaped("application/json")}/schema`;
}

/** A refusal has one of its call's codes, or one that any call may return. */
function refusalPointer(path: string, method: string, status: number): string {
  const statuses = `${Math.floor(status / 100)}XX`;
  const { $ref } = required(required(required(openApi.paths[path])[method]).responses[statuses]);
  const own = `/paths/${escaped(path)}/${method}/responses/${statuses}/content/${escaped("application/json")}/schema`;
  return $ref === undefined ? own : ANYWHERE;
}

/** Fails the test if a JSON answer of the API contradicts the document. */
export async function expectDocumented(method: string, path: string, response: Response): Promise<void> {
  const { pathname } = new URL(path, "http://localhost");
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (!pathname.startsWith("/api/") || !isJson || method === "HEAD" || response.status === 304) return;
  const answer: unknown = await response.clone().json();
  const pointer = findPointer(method.toLowerCase(), pathname, response.status);
  if (!pointer) throw new Error(`No document of ${method} ${pathname} answering ${response.status}`);
  const validate = findValidator(pointer);
  if (validate(answer)) return;
  const wrong = required(validate.errors).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
  throw new Error(
    `${method} ${pathname} answers ${response.status} with what its document does not say:\n${wrong.join("\n")}`,
  );
}
