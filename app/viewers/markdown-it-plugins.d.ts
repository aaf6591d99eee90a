/** Two plugins of the parser that bring no types of their own. */
declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";
  export default function useDefinitionLists(parser: MarkdownIt): void;
}

declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";
  export default function useFootnotes(parser: MarkdownIt): void;
}
