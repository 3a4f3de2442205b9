// Parses the arguments of npm test: lanes, files of lanes and options.

/** Returns the Levenshtein distance. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

function unknown(word, names) {
  const [nearest] = [...names].sort((a, b) => distance(word, a) - distance(word, b));
  const hint = distance(word, nearest) <= Math.max(2, word.length / 3) ? `; did you mean ${nearest}?` : "";
  return new Error(`"${word}" is not a lane, a file of a lane or an option${hint} (npm test -- --list)`);
}

/** Returns the lane of a path: the one with the longest folder. */
function laneOfPath(path, table) {
  const owners = table.filter(({ folder }) => folder && (path === folder || path.startsWith(`${folder}/`)));
  return owners.sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Returns all test files of a lane. */
const testFilesOf = (lane, table, allFiles) =>
  allFiles.filter((path) => {
    const owner = laneOfPath(path, table);
    return owner === lane || owner?.partOf === lane.name;
  });

/**
 * Returns a lane with the files of an argument: "js", "js/positions", "tests/js/positions.test.ts". For lanes without
 * files, the rest is a filter of their programs: "cpp/[gradients]".
 */
function chosenBy(word, table, allFiles) {
  const path = word.replace(/^\.\//, "").replaceAll("\\", "/");
  const [name, ...rest] = path.split("/");
  const lane = table.find((one) => one.name === name) ?? laneOfPath(path, table);
  if (!lane) return undefined;
  const part = lane.name === name ? rest.join("/") : path;
  if (!part || part === lane.folder) return { lane, files: [] };
  if (lane.takesFilters) return { lane, files: [part] };
  const files = testFilesOf(lane, table, allFiles).filter((file) => file.includes(part));
  if (files.length === 0) throw new Error(`no test file of the lane ${lane.name} has "${part}" in its path`);
  return { lane, files };
}

const options = { "--all": "all", "--list": "list", "--bail": "bail", "--help": "help" };

/**
 * Parses the arguments of a command.
 *
 * @param words Lanes, files and options.
 * @param table The lanes.
 * @param allFiles Paths of all test files.
 * @returns Options, and lanes with files in the order of the table; no lanes: the quick tier, or everything with `all`.
 * @throws {Error} For an unknown argument, with the nearest known one.
 */
export function readWords(words, table, allFiles) {
  const read = { all: false, list: false, bail: false, help: false };
  const files = new Map();
  for (const word of words) {
    if (options[word]) read[options[word]] = true;
    else {
      const chosen = word.startsWith("-") ? undefined : chosenBy(word, table, allFiles);
      if (!chosen) throw unknown(word, [...table.map(({ name }) => name), ...Object.keys(options)]);
      files.set(chosen.lane, [...(files.get(chosen.lane) ?? []), ...chosen.files]);
    }
  }
  if (read.all && files.size > 0) throw new Error("--all runs all lanes: name lanes, or --all, not both");
  const lanes = table.filter((lane) => files.has(lane)).map((lane) => ({ lane, files: files.get(lane) }));
  return { ...read, lanes };
}

/** Returns the lanes of a run, and how each runs. */
export function planOf({ all, bail, lanes }, table) {
  if (lanes.length > 0) return lanes.map(({ lane, files }) => ({ lane, files, quick: false, bail }));
  return table
    .filter(({ quick, partOf }) => !partOf && (all || quick))
    .map((lane) => ({ lane, files: [], quick: !all, bail }));
}
