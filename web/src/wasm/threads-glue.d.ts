// Emscripten's loader of the build with threads, made by the build.
declare const createModule: (options: object) => Promise<unknown>;
export default createModule;
