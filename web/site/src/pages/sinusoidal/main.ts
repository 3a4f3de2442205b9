import { open } from "../../lib/open.ts";
import Sinusoidal from "./Sinusoidal.svelte";

open(Sinusoidal);
