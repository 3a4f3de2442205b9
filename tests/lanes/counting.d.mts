export const isStrict: (environment?: Record<string, string | undefined>) => boolean;
export function lanes(
  log: (text: string) => void,
  options?: { strict?: boolean },
): {
  totals: { lanes: number; passed: number; failed: number };
  count(name: string, passed: number, failed: number, failures?: string[]): void;
  lane(
    name: string,
    work: (own: {
      count(name: string, passed: number, failed: number, failures?: string[]): void;
      lacks(name: string, what: string): void;
    }) => unknown,
  ): Promise<void>;
  lacks(name: string, what: string): void;
  summary(): string[];
};
