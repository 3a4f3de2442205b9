export const softwareAdapter: string[];
export function chromiumOptions(...more: string[]): { executablePath: string; args: string[] };
