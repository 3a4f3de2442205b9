import { open } from "../../lib/open.ts";
import Start from "./Start.svelte";

open(Start);
