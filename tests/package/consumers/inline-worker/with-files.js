import { init } from "posenc";

init().then(
  ({ variant }) => postMessage(variant),
  ({ name, message }) => postMessage(`${name}: ${message}`),
);
