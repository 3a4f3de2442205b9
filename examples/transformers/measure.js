// What a language model of characters has learned: how surprised it is by a text, and what it remembers.

const rowOf = ({ data, width }, row) => data.subarray(row * width, (row + 1) * width);

/** ln of the sum of the exponentials of logits. */
function logSumOf(logits) {
  const top = Math.max(...logits);
  return top + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - top), 0));
}

/** Logarithms of the probabilities of a row. */
export function logarithms(logits, row) {
  const own = rowOf(logits, row);
  const sum = logSumOf(own);
  return Array.from(own, (logit) => logit - sum);
}

/** -ln of the probability of what comes next. */
function surprise(logits, row, next) {
  const own = rowOf(logits, row);
  return logSumOf(own) - own[next];
}

/** Where windows of a length begin that lie evenly in a text. */
const beginnings = (text, length, windows) =>
  Array.from({ length: windows }, (_, i) => i * Math.floor((text.length - length - 1) / windows));

/** Nats per character, in windows of a text, from the character `from` of each on. */
export async function lossOf(logitsOf, text, length, windows, from = 0) {
  let sum = 0;
  for (const begin of beginnings(text, length, windows)) {
    const ids = text.slice(begin, begin + length + 1);
    const logits = await logitsOf(ids.slice(0, -1));
    for (let i = from; i < length; i++) sum += surprise(logits, i, ids[i + 1]);
  }
  return sum / windows / (length - from);
}

/** The same numbers from 0 to 1 each time. */
function* fixedNumbers(seed) {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const [keyLength, cue, before] = [16, 4, 32];
/** The ids of a to z. */
const [firstLetter, letters] = [54, 26];

/**
 * A key of 16 random letters stands in a text twice, `distance` characters apart. How many of those behind the fourth the
 * model says the second time.
 */
export async function needlesFound(logitsOf, text, distance, needles) {
  const numbers = fixedNumbers(distance);
  let right = 0;
  for (const begin of beginnings(text, before + distance + keyLength, needles)) {
    const key = Array.from({ length: keyLength }, () => firstLetter + Math.floor(letters * numbers.next().value));
    const ids = text.slice(begin, begin + before + distance + keyLength);
    ids.splice(before, keyLength, ...key);
    ids.splice(before + distance, keyLength, ...key);
    const { data, width } = await logitsOf(ids);
    for (let i = cue; i < keyLength; i++) {
      const row = before + distance + i - 1;
      const own = data.subarray(row * width, (row + 1) * width);
      right += Number(own.indexOf(Math.max(...own)) === key[i]);
    }
  }
  return right / needles / (keyLength - cue);
}
