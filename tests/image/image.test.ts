import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { VARIABLES } from "#platform/env/env-variables.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const read = (name: string) => readFileSync(join(PROJECT_ROOT, name), "utf8");
const dockerfile = read("Dockerfile");
const ignored = read(".dockerignore").split("\n");

/** Each instruction with its words, continued lines joined. */
const instructions = dockerfile
  .replaceAll(/\\\n/g, " ")
  .split("\n")
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => line.trim().split(/\s+/));

const copied = instructions
  .filter(([name, first = ""]) => name === "COPY" && !first.startsWith("--from"))
  .flatMap((words) => words.slice(1, -1));

const variables = Object.keys(VARIABLES.shape);
/** Variables that only the database servers read. */
const OF_OTHERS = /^(MONGO|POSTGRES)_/;

const procfile = [...read("Procfile").matchAll(/^\w+: (.+)$/gm)].map(([, command = ""]) => command);

describe("the image", () => {
  it("uses only files that exist and are sent to its build", () => {
    expect(copied.length).toBeGreaterThan(10);
    for (const source of copied) {
      expect(existsSync(join(PROJECT_ROOT, source)), source).toBe(true);
      expect(ignored, source).toContain(`!${source.split("/")[0]}`);
    }
  });

  it("has the Node of the npm packages, and names exact versions of the servers beside it", () => {
    const programs = JSON.parse(read("db/local/programs/package.json"));
    const node = Object.entries({ ...programs.dependencies, ...programs.optionalDependencies }).filter(
      ([name]) => name.startsWith("node-linux-"),
    );
    expect(node.length).toBe(2);
    for (const [, version] of node)
      expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${version}-bookworm-slim`);
    const images = [...read("compose.yaml").matchAll(/image: (mongo|postgres):(\S+)/g)];
    expect(images.map(([, name]) => name)).toEqual(["mongo", "postgres"]);
    for (const [, , version] of images) expect(version).toMatch(/^\d+\.\d+(\.\d+)?$/);
  });

  it("installs packages before it copies sources, so that a change of code installs nothing", () => {
    const names = instructions.map((words) => words.join(" "));
    const install = names.findIndex((name) => name.startsWith("RUN npm ci --omit=dev"));
    const sources = names.findIndex((name) => name.startsWith("COPY app"));
    expect(install).toBeGreaterThan(0);
    expect(sources).toBeGreaterThan(install);
  });

  it("runs as an ordinary user, from files that it has, and keeps its data in one place", () => {
    expect(dockerfile).toMatch(/^USER codeshelf$/m);
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    const [, script] = required(/^CMD \["node", "([^"]+)"\]$/m.exec(dockerfile), "command");
    expect(existsSync(join(PROJECT_ROOT, required(script, "script")))).toBe(true);
    const [, port] = required(/^EXPOSE (\d+)$/m.exec(dockerfile), "port");
    expect(dockerfile).toContain(`PORT=${port}`);
  });

  it("sets only variables that the product reads", () => {
    const set = instructions.filter(([name]) => name === "ENV").flatMap((words) => words.slice(1));
    expect(set.length).toBeGreaterThan(0);
    for (const assignment of set) expect(variables).toContain(assignment.split("=")[0]);
  });
});

describe.each(["compose.yaml", "compose.one.yaml"])("%s", (name) => {
  const compose = read(name);

  it("gives the processes only variables that they read", () => {
    const set = [...compose.matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(([, variable = ""]) => variable);
    for (const variable of set) if (!OF_OTHERS.test(variable)) expect(variables).toContain(variable);
  });

  it("contains no secret, and ends if one is missing", () => {
    const secrets = [...compose.matchAll(/\w*(?:PASSWORD|SECRET|KEY): (\S+)/g)].map(([, value]) => value);
    for (const value of secrets) expect(value).toMatch(/^\$\{[A-Z_]+:\?\}$/);
  });

  it("runs the commands of the Procfile", () => {
    const commands = [...compose.matchAll(/^ {4}command: \[(.+)\]$/gm)].map(([, words = ""]) =>
      words.split(", ").join(" "),
    );
    for (const command of commands) expect(procfile).toContain(command);
    if (name === "compose.yaml") expect(commands).toHaveLength(procfile.length);
  });

  it("keeps the image's data in a volume, and the rest unchanged", () => {
    expect(compose).toContain("volumes: [data:/data]");
    expect(compose).toContain("read_only: true");
  });
});
