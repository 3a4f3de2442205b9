export function toMathML(tex: string, displayMode: boolean): string;
