export function withMemoryMaximum(module: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer>;
