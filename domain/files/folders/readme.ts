const NAMES = ["README", "Readme", "readme", "ReadMe"];
const ENDINGS = [".md", ".markdown", ".MD", ".txt", ".rst", ""];

/** The names of a folder's description; the first existing one counts. */
export const README_NAMES: readonly string[] = ENDINGS.flatMap((ending) =>
  NAMES.map((name) => `${name}${ending}`),
);
