type Count = (name: string, passed: number, failed: number, failures?: string[]) => void;
export function onceFor(
  lane: { readonly name: string; readonly inputs?: readonly string[] },
  report: { count: Count },
  run: (report: { count: Count }) => unknown,
  file?: string,
): Promise<void>;
