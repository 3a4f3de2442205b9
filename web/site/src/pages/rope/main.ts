import { open } from "../../lib/open.ts";
import Rope from "./Rope.svelte";

open(Rope);
