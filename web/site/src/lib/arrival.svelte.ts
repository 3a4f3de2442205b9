// Figures that wait until the reader is near: to mount all of a page at once would keep it busy for seconds.
import { flushSync } from "svelte";

/** How far off a figure is made ready: further than one turn of a wheel or one press of a key goes. */
const margin = "1200px 0px";

export class Arrival {
  /** Unknown until the browser has said how far off the figure is; due when it is near and others come first. */
  state = $state<"unknown" | "far" | "due" | "here">("unknown");
  element: Element | undefined;
}

/** Those of this page, from top to bottom. */
const arrivals: Arrival[] = [];

/** Pixels between a figure and what the reader sees. */
function distance({ element }: Arrival): number {
  const { top, bottom } = element!.getBoundingClientRect();
  return Math.max(0, top - innerHeight, -bottom);
}

const whenIdle = (work: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(work, { timeout: 150 }) : setTimeout(work, 10);

let scheduled = false;

/** One figure for each slice of time, the nearest first. */
function schedule(): void {
  if (scheduled || !arrivals.some(({ state }) => state === "due")) return;
  scheduled = true;
  whenIdle(() => {
    scheduled = false;
    const due = arrivals.filter(({ state }) => state === "due").sort((a, b) => distance(a) - distance(b));
    if (due[0]) due[0].state = "here";
    schedule();
  });
}

function call(arrival: Arrival | undefined): void {
  if (!arrival || arrival.state === "here") return;
  arrival.state = "due";
  schedule();
}

let isPrinting = false;

/** Paper has no reader who comes nearer. */
function comeAll(): void {
  isPrinting = true;
  for (const arrival of arrivals) arrival.state = "here";
  flushSync();
}

/** Figures come for it at once. An article says so itself: it begins with words, and no figure is there yet. */
export const awaitPrinting = (): void => window.addEventListener("beforeprint", comeAll);

/** The keyboard and screen readers go from one control to the next: those of the neighbours must be there. */
function callNeighbours(event: Event): void {
  const index = arrivals.findIndex(({ element }) => element === event.currentTarget);
  for (const step of [-1, 1]) call(arrivals[index + step]);
}

/** Figures come in any order, as their code does. Whose neighbour has the focus by then is called at once. */
function join(arrival: Arrival, element: Element): void {
  const follows = ({ element: other }: Arrival) =>
    element.compareDocumentPosition(other!) & Node.DOCUMENT_POSITION_FOLLOWING;
  const place = arrivals.findIndex(follows);
  const index = place < 0 ? arrivals.length : place;
  arrivals.splice(index, 0, arrival);
  for (const step of [-1, 1]) if (arrivals[index + step]?.element?.contains(document.activeElement)) call(arrival);
}

/** An attachment of a figure, once the library is there: says when its content may be mounted. */
export const approached = (arrival: Arrival) => (element: Element) => {
  arrival.element = element;
  join(arrival, element);
  awaitPrinting();
  if (isPrinting) arrival.state = "here";
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        call(arrival);
      } else if (arrival.state === "unknown") arrival.state = "far";
    },
    { rootMargin: margin },
  );
  observer.observe(element);
  element.addEventListener("focusin", callNeighbours);
  return () => {
    observer.disconnect();
    element.removeEventListener("focusin", callNeighbours);
    arrivals.splice(arrivals.indexOf(arrival), 1);
  };
};
