/**
 * Invisible characters that change how others are read: bidirectional controls, joiners, fillers, selectors, marks of
 * format, and the separators of lines and paragraphs.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** A file name for other systems, without invisible characters. The stored name is not changed. */
export function toVisibleName(name: string): string {
  return name.replace(INVISIBLE, "") || "_";
}
