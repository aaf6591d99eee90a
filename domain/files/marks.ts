/** How many files a person may keep pinned. */
export const PINS_MAX = 8;
