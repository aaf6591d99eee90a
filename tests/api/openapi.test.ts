import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app/main/api-table.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { expectDocumented, openApi } from "#tests/support/api/openapi.ts";

const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

type Shape = { $ref?: string; properties?: Record<string, { description?: string }> };

const answer = (body: unknown, status = 200) => Response.json(body, { status });

describe("the document of the API", () => {
  it("is OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(openApi));
    expect([result.errors, validator.version]).toEqual([undefined, "3.1"]);
  });

  it("describes every row of the table once, each in its own words", () => {
    expect(operations).toHaveLength(endpoints.length);
    const summaries = operations.map(({ operation }) => operation.summary);
    expect(new Set(summaries).size).toBe(endpoints.length);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(endpoints.length);
  });

  it.each(operations)("$name names its parameters, its answer and its refusals", ({ path, operation }) => {
    const inPath = operation.parameters.filter((field) => field.in === "path").map(({ name }) => `{${name}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(operation.summary.length).toBeGreaterThan(8);
    const statuses = Object.keys(operation.responses);
    expect(statuses.slice(-2)).toEqual(["4XX", "5XX"]);
    expect(statuses.slice(0, -2).join()).toMatch(/^20\d(,20\d)*$/);
  });

  const parameters = operations.flatMap(({ name, operation }) =>
    operation.parameters.map((parameter) => ({ name: `${name}: ${parameter.name}`, parameter })),
  );

  it("describes every tag in a sentence", () => {
    const used = operations.flatMap(({ operation }) => operation.tags);
    expect(openApi.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
    const silent = openApi.tags.filter(({ description }) => !/^[A-Z].+\.$/.test(String(description)));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("describes every parameter in a sentence", () => {
    expect(parameters.length).toBeGreaterThan(100);
    const silent = parameters.filter(({ parameter }) => !/^\S.+ .+\.$/.test(parameter.description ?? ""));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("describes every field of a body in a sentence", () => {
    const { schemas } = openApi.components as { schemas: Record<string, Shape> };
    const fields = operations.flatMap(({ name, operation }) => {
      const schema = operation.requestBody?.content["application/json"]?.schema as Shape | undefined;
      const shape = schema?.$ref ? schemas[schema.$ref.slice("#/components/schemas/".length)] : schema;
      return Object.entries(shape?.properties ?? {}).map(([field, { description }]) => ({
        name: `${name}: ${field}`,
        description,
      }));
    });
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });

  it("types numbers as numbers", () => {
    const numbers = parameters.filter(({ parameter }) =>
      ["limit", "page", "per_page", "version"].includes(parameter.name),
    );
    expect(numbers.length).toBeGreaterThan(10);
    for (const { name, parameter } of numbers)
      expect(parameter.schema, name).toMatchObject({ type: "integer", minimum: 1 });
    expect(JSON.stringify(numbers)).not.toContain("pattern");
  });

  it("has the conditions that a save takes as headers, so that a generated client can send them", () => {
    const headers = required(openApi.paths["/api/files/{path}"]?.put).parameters.filter(
      (field) => field.in === "header",
    );
    expect(headers).toMatchObject([
      { name: "If-Match", required: false, schema: { type: "string" } },
      { name: "If-None-Match", required: false, schema: { type: "string" } },
      { name: "If-Unmodified-Since", required: false, schema: { type: "string" } },
    ]);
  });

  it("offers the token before the session, because generated clients take the first way", () => {
    expect(openApi.security).toEqual([{ token: [] }, { session: [] }]);
  });

  it("names the elements of every list", () => {
    const listed: Record<string, unknown>[] = [];
    JSON.stringify(openApi, (_, value) => {
      if (value?.type === "array") listed.push(value);
      return value;
    });
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((list) => list.items === undefined)).toEqual([]);
  });

  it("names each shape once", () => {
    const shapes = Object.entries(
      (openApi as unknown as { components: { schemas: object } }).components.schemas,
    );
    expect(shapes.length).toBeGreaterThan(5);
    const texts = shapes.map(([, shape]) => JSON.stringify(shape));
    expect(shapes.filter((_, i) => texts.indexOf(itemAt(texts, i)) !== i).map(([name]) => name)).toEqual([]);
  });

  it("has no reference that leads nowhere", () => {
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path]) => path);
    expect(references.length).toBeGreaterThan(20);
    const lost = references.filter(
      (path) =>
        required(path)
          .split("/")
          .slice(1)
          .reduce(
            (schema: unknown, name) => (schema as Record<string, unknown> | undefined)?.[name],
            openApi,
          ) === undefined,
    );
    expect(lost).toEqual([]);
  });
});

describe("an answer that the document does not promise fails its test", () => {
  const stats = { total_files: 0, languages: {}, recent_files: [] };

  it.each([
    ["a field nobody told of", answer({ ...stats, more: 1 })],
    ["a missing field", answer({ total_files: 0 })],
    ["a wrong kind", answer({ ...stats, total_files: "0" })],
    ["a status nobody told of", answer(stats, 202)],
    ["a refusal without a code", answer({ error: "no" }, 400)],
    ["a refusal with an unknown code", answer({ error: "no", code: "no_such_code" }, 400)],
    ["a refusal with a code of another call", answer({ error: "no", code: "pin_limit" }, 409)],
  ])("%s", async (_, response) => {
    await expect(expectDocumented("GET", "/api/stats", response)).rejects.toThrow(/document/i);
  });
});
