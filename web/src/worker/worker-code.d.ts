// worker-script.ts as one script.
declare const code: string;
export default code;
