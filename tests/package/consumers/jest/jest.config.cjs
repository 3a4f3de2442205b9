// posenc is made of modules: Babel makes CommonJS of it, as of everything that Jest runs. Projects mostly have
// @babel/preset-env for that, which brings both plug-ins.
const plugins = ["@babel/plugin-transform-modules-commonjs", "@babel/plugin-transform-dynamic-import"];
const posenc = ["babel-jest", { babelrc: false, configFile: false, plugins }];

module.exports = {
  transform: { "/node_modules/posenc/.*\\.js$": posenc },
  transformIgnorePatterns: ["/node_modules/(?!posenc/)"],
  // What jsdom lacks; Node needs none of it.
  setupFiles: ["./setup.cjs"],
  testMatch: ["**/*.test.cjs"],
};
