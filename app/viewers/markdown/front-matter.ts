/** Metadata at the head of a document, between two lines of `---` (YAML) or `+++` (TOML). */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]{1,20000}?)\r?\n\1[ \t]*(?:\r?\n|$)/;
const FACT = {
  "---": /^(?:[\p{L}\p{N}_"'][^:\n]*:(?:\s|$)|#|-\s|[\]}]|\s)/u,
  "+++": /^(?:[\p{L}\p{N}_"'][^=\n]*=|#|\[|[\]}]|\s)/u,
};
const LANGUAGE = { "---": "yaml", "+++": "toml" };

/** Shows front matter as code and keeps the line numbers. A horizontal rule at the start stays: no metadata follows it. */
export function showFrontMatterAsCode(body: string): string {
  return body.replace(FRONT_MATTER, (all: string, mark: "---" | "+++", facts: string) => {
    const [first = "", ...others] = facts.split(/\r?\n/);
    const isFact = (line: string) => line === "" || FACT[mark].test(line);
    if (first.trim() === "" || !isFact(first) || !others.every(isFact)) return all;
    const fence = "`".repeat(longestRun(facts) + 3);
    return `${fence}${LANGUAGE[mark]}\n${facts}\n${fence}\n`;
  });
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
