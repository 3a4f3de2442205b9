export function entryModules(): string[];
export function programs(): string[];
export const withoutWasm: string[];
export function withImports(...names: string[]): string[];
export function loadedAtOnce(...names: string[]): string[];
