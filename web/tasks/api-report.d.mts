export const reportFile: string;
export function apiReport(entries: readonly string[]): string;
