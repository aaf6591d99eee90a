export const PINS_MAX = 8;
