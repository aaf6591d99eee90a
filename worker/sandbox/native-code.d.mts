export function compileWell(well: boolean): void;
export function bytesOfModule(module: WebAssembly.Module): ArrayBuffer;
export function moduleOfBytes(bytes: ArrayBuffer, wasm: Uint8Array): WebAssembly.Module | undefined;
