export const contentSecurityPolicy: string;
export function serve(
  folder: string | string[],
  port?: number,
  policy?: string,
  waiting?: (path: string) => string | undefined,
): Promise<{ url: string; close: () => void }>;
