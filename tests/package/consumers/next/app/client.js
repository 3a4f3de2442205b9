"use client";

import * as posenc from "posenc";
import { useEffect, useState } from "react";
import { check, show } from "../check.mjs";

/** The library as the state of a component, and what the edge route answers. */
export default function Client() {
  const [pe, setLibrary] = useState(null);
  const [edge, setEdge] = useState("");
  useEffect(() => {
    posenc.init().then(setLibrary);
    fetch("/edge").then(async (response) => setEdge(await response.text()));
  }, []);
  useEffect(() => {
    if (pe && edge) show(check({ ...posenc, init: async (options) => (options ? posenc.init(options) : pe) }));
  }, [pe, edge]);
  return (
    <>
      <pre id="edge">{edge}</pre>
      <pre id="result" />
    </>
  );
}
