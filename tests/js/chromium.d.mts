export const softwareAdapter: string[];
export const asCard: string;
export function chromiumOptions(...more: string[]): { executablePath: string; args: string[] };
