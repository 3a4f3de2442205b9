// npm start: all the set-up there is, then the tutorial at http://localhost:PORT/ (PORT is 4173 unless set).
import { inRoot, installDependencies, log, runTask } from "./prepare.mjs";
import { serve } from "./serve.mjs";

const standardPort = 4173;

function wantedPort() {
  if (!process.env.PORT) return standardPort;
  const port = Number(process.env.PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT must be a number from 0 to 65535, got ${process.env.PORT}`);
  return port;
}

await runTask(async () => {
  const port = wantedPort();
  installDependencies();
  const { buildLibrary, buildSite } = await import("./build.mjs");
  await buildLibrary();
  await buildSite();
  const { url } = await serve(inRoot("dist-site"), port).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} is taken: choose another with PORT=… npm start`);
  });
  log(`the tutorial is at ${url} (stop with Ctrl+C)`);
});
