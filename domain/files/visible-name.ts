/**
 * Invisible characters that change how other characters appear: bidirectional controls, joiners, fillers, selectors, format
 * characters, and the separators of lines and paragraphs.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** A file name for other systems, without invisible characters. The stored name is not changed. */
export function toVisibleName(name: string): string {
  return name.replace(INVISIBLE, "") || "_";
}
