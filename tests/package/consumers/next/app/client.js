"use client";

import * as posenc from "posenc";
import { useEffect } from "react";
import { check, show } from "../check.mjs";

export default function Client() {
  useEffect(() => show(check(posenc)), []);
  return <pre id="result" />;
}
