import { readFileSync } from "node:fs";

console.log(`[${["node", "jsdom"].map((environment) => readFileSync(`results/${environment}.json`, "utf8")).join()}]`);
