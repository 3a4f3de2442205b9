// Emscripten's loader, made by the build.
declare const createModule: (options: object) => Promise<unknown>;
export default createModule;
