const NAMES = ["README", "Readme", "readme", "ReadMe"];
const ENDINGS = [".md", ".markdown", ".MD", ".txt", ".rst", ""];

/** What the text is called that tells about a folder, the first that is there. */
export const README_NAMES: readonly string[] = ENDINGS.flatMap((ending) =>
  NAMES.map((name) => `${name}${ending}`),
);
