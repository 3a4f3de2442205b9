import { readFileSync } from "node:fs";

console.log(`[${["node", "jsdom"].map((place) => readFileSync(`results/${place}.json`, "utf8")).join()}]`);
