/** A small text and what it defines: line, kind and name, indented by depth, between the first and the last line end. */
export type DefinitionSample = { text: string; found: string };
