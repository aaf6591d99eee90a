import { z } from "zod";
import type { LinkedFiles } from "#app/viewers/render-task.ts";
import { isLanguage } from "#domain/files/language.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";

/** A Jupyter notebook as Markdown text, and its pictures by the names in the text. Nothing in it runs. */
type NotebookText = { text: string; pictures: LinkedFiles };

const lines = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(""));
const count = z.int().nonnegative().optional().catch(undefined);
const output = z.object({
  execution_count: count,
  text: lines.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  // Other texts have lines with their ends; a traceback has not.
  traceback: z
    .array(z.string())
    .transform((frames) => frames.join("\n"))
    .optional()
    .catch(undefined),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});
const cell = z.object({
  cell_type: z.string().catch(""),
  source: lines.catch(""),
  execution_count: count,
  outputs: z.array(output.catch({})).catch([]),
});
const notebook = z.object({
  cells: z.array(cell.catch({ cell_type: "", source: "", outputs: [] })),
  metadata: z
    .object({ language_info: z.object({ name: z.string() }) })
    .optional()
    .catch(undefined),
});

type Output = z.infer<typeof output>;

export function parseNotebook(body: string): NotebookText | null {
  const parsed = notebook.safeParse(parseJsonOrNull(body));
  if (!parsed.success) return null;
  const { cells, metadata } = parsed.data;
  const language = metadata?.language_info.name.toLowerCase() ?? "python";
  const pictures: LinkedFiles = {};
  const parts = cells.flatMap(({ cell_type, source, execution_count, outputs }) => {
    if (cell_type === "markdown") return [source];
    const code = toCodeFence(source, cell_type === "code" && isLanguage(language) ? language : "");
    const results = outputs.map((output) => {
      const words = toOutputMarkdown(output, pictures);
      return quote(
        words && output.execution_count !== undefined
          ? `${number("Out", output.execution_count)}\n\n${words}`
          : words,
      );
    });
    return [code && cell_type === "code" ? number("In", execution_count) : "", code, ...results];
  });
  return { text: parts.filter((part) => part !== "").join("\n\n"), pictures };
}

/** Numbers cells and results as notebooks do, in every language; a cell that never ran has no number. */
const number = (side: "In" | "Out", count?: number) => `\`${side} [${count ?? " "}]:\``;

const PICTURE_KINDS = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** Shows a cell's output: a picture, words or an error. Of markup only the plain text is shown. */
function toOutputMarkdown({ text, data, traceback, ename, evalue }: Output, pictures: LinkedFiles): string {
  for (const kind of PICTURE_KINDS) {
    const picture = lines.safeParse(data?.[kind]);
    if (!picture.success || !BASE64.test(picture.data)) continue;
    const name = `output-${Object.keys(pictures).length + 1}`;
    pictures[name] = { href: "", image: `data:${kind};base64,${picture.data.replace(/\s/g, "")}` };
    return `![](${name})`;
  }
  const markdown = lines.safeParse(data?.["text/markdown"]);
  if (markdown.success) return markdown.data;
  const plain = lines.safeParse(data?.["text/plain"]);
  const error = traceback ?? [ename, evalue].filter(Boolean).join(": ");
  return toCodeFence(removeColours(text ?? (plain.success ? plain.data : error)), "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with this character
const removeColours = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, "");

const quote = (text: string) => text.replace(/^/gm, "> ");

/** Fences code with a mark that does not occur in it. */
function toCodeFence(code: string, language: string): string {
  if (code.trim() === "") return "";
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${code.replace(/\n$/, "")}\n${marks}`;
}
