/**
 * One name may be written in several forms of Unicode that look alike: `é` is one character, or `e` and an accent. New names are
 * kept in the composed form; names from before are found by any form.
 */
export const toComposedName = (name: string): string => name.normalize("NFC");

/** All forms that a name may be kept in, the given one first. Most names have one. */
export const listNameForms = (name: string): string[] => [
  ...new Set([name, name.normalize("NFC"), name.normalize("NFD")]),
];
