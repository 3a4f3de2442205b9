export interface Lane {
  readonly name: string;
  readonly what: string;
  readonly quick?: boolean;
  readonly partOf?: string;
  readonly folder?: string;
  readonly takesFilters?: boolean;
  readonly needs: readonly string[];
}
export interface Words {
  readonly all: boolean;
  readonly list: boolean;
  readonly bail: boolean;
  readonly help: boolean;
  readonly lanes: readonly { readonly lane: Lane; readonly files: readonly string[] }[];
}
export function readWords(words: readonly string[], table: readonly Lane[], allFiles: readonly string[]): Words;
export function planOf(
  words: Words,
  table: readonly Lane[],
): { readonly lane: Lane; readonly files: readonly string[]; readonly quick: boolean; readonly bail: boolean }[];
