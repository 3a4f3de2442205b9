import * as posenc from "posenc";
import { models } from "posenc/models";
import { check } from "../check.mjs";
import Client from "./client.js";

// On each request, so in the server that runs, not while it is built.
export const dynamic = "force-dynamic";

export default async function Page() {
  return (
    <>
      <pre id="server">{JSON.stringify(await check(posenc, { models }))}</pre>
      <Client />
    </>
  );
}
