export const contentSecurityPolicy: string;
export function serve(folder: string, port?: number, policy?: string): Promise<{ url: string; close: () => void }>;
