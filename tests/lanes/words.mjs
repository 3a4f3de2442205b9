// The words after npm test: lanes, files of lanes and options.

/** Number of letters to insert, remove or replace (Levenshtein). */
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

/** The lane that a path belongs to: the one with the longest folder. */
function laneOfPath(path, table) {
  const owners = table.filter(({ folder }) => folder && (path === folder || path.startsWith(`${folder}/`)));
  return owners.sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** All test files of a lane. */
const testFilesOf = (lane, table, allFiles) =>
  allFiles.filter((path) => {
    const owner = laneOfPath(path, table);
    return owner === lane || owner?.partOf === lane.name;
  });

/**
 * A lane with the files that a word names: "js", "js/positions", "tests/js/positions.test.ts"; of lanes without files what
 * their programs filter by: "cpp/[gradients]".
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
 * Reads the words of a command.
 *
 * @param words Lanes, files and options.
 * @param table The lanes.
 * @param allFiles Paths of all test files.
 * @returns Options, and lanes with their files in the order of the table; none: the quick tier, or with `all` everything.
 * @throws {Error} For a word that is none of these, with the nearest one.
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

/** The lanes of a run, with how each is run. */
export function planOf({ all, bail, lanes }, table) {
  if (lanes.length > 0) return lanes.map(({ lane, files }) => ({ lane, files, quick: false, bail }));
  return table
    .filter(({ quick, partOf }) => !partOf && (all || quick))
    .map((lane) => ({ lane, files: [], quick: !all, bail }));
}
