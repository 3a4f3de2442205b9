export const publishingFile: string;
export interface Addresses {
  repository: string;
  homepage: string;
  space: string;
  missing: string[];
}
export function addresses(given?: Partial<Record<"repository" | "homepage" | "space", string>>): Addresses;
export function linksIn(text: string): { target: string; isImage: boolean }[];
export function deadLinks(file: string): string[];
export function withAddresses(text: string, project: { repository: string; version: string }): string;
export function publishedManifest(manifest: object, project: { repository: string; homepage: string }): object;
export function missingTargets(
  readme: string,
  project: { repository: string; homepage: string; version: string },
): string[];
export function notesOf(version: string, changelog?: string): string | undefined;
