/**
 * Characters that nobody sees and that change how the others read: bidirectional controls, joiners, fillers, selectors, marks of
 * format, and the separators of lines and paragraphs.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** The name under which a file leaves for another system: what is seen of it is all of it. The stored name is not changed. */
export function toVisibleName(name: string): string {
  return name.replace(INVISIBLE, "") || "_";
}
