/**
 * Unicode has several forms of the same name: `é` is one character, or `e` and an accent. New names are stored in the composed
 * form; older names are found by any form.
 */
export const toComposedName = (name: string): string => name.normalize("NFC");

/** Returns all forms in which a name may be stored, the input first. */
export const listNameForms = (name: string): string[] => [
  ...new Set([name, name.normalize("NFC"), name.normalize("NFD")]),
];
