type ExportLists = { assignments: string; section: Uint8Array };
export function findUsedExports(wasm: Uint8Array, script: string, otherScripts: string[]): string[];
export function listExports(wasm: Uint8Array, script: string, names: readonly string[]): ExportLists;
export function withAssignments(script: string, assignments: string): string;
export function withExports(wasm: Uint8Array, section: Uint8Array): Uint8Array<ArrayBuffer>;
