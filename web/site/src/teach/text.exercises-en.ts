// The exercises, by chapter: English. Values in braces are computed by the library (answers.ts), in the same order.
import type { ChapterName } from "../text/chapters.en.ts";

export interface ExerciseText {
  task: string;
  solution: string;
}

export const exercises: Record<ChapterName, ExerciseText[]> = {
  order: [
    {
      task: "In how many different orders can the five words “the dog bites the man” stand? How many of them can attention without positions tell apart?",
      solution:
        "There are {orders} orders: 5! = 120, halved because “the” occurs twice. Attention tells none of them apart. The output of a word is a mean over the same set of keys and values, whatever their order.",
    },
    {
      task: "Without positions the output of “dog” does not change when “dog” and “man” are exchanged. With a causal mask it does. Where does the order come from?",
      solution:
        "The change is {none} without the mask and {mask} with it (<code>examples/course/01-order.js</code>). The mask lets “dog” see only what stands before it: once “the”, once “the man bites the”. How many keys a word sees is a trace of its place.",
    },
    {
      task: "Two words of a sentence are exchanged, and attention has no positions. What happens to the matrix of attention weights?",
      solution:
        "Its two rows are exchanged, and its two columns. Every weight is still there: it depends on the two words and not on where they stand. So every output is the same too, only in another row.",
    },
  ],
  counting: [
    {
      task: "Write 7, 8 and 9 with four binary digits. How far is 8 from 7, and how far is 9 from 8, if the digits are coordinates?",
      solution:
        "0111, 1000, 1001. From 7 to 8 all four digits flip: a step of length {far}. From 8 to 9 one digit flips: a step of length {near}. Neighbours are not equally near, which is what waves repair.",
    },
    {
      task: "A text has {rows} positions. How many numbers does a position need as one-hot, and how many as binary digits?",
      solution:
        "One-hot needs {rows}, one for each position. Binary needs {digits}, because 2<sup>{digits}</sup> is {rows}. Both name every position; only the second stays small.",
    },
    {
      task: "Positions are written as a fraction of the text’s length. How long is one step in a text of 16 words, and in one of 1000?",
      solution:
        "{short} and {long}. The same step, one word further, has another length in every text: what a model learned on short texts is wrong on long ones.",
    },
  ],
  sinusoidal: [
    {
      task: "Take a calculator (radians). Write down the row of position 3 for d = 4 and base 100.",
      solution:
        "The frequencies are 1 and 1/10. So the row is sin 3, cos 3, sin 0.3, cos 0.3 = {v0}, {v1}, {v2}, {v3}.",
    },
    {
      task: "How many positions does the quickest clock of d = 128 and base 10 000 take for a turn, and how many the slowest?",
      solution:
        "{quick} (2π) and {slow}. The frequency of the slowest is not 1/10 000 but 10 000<sup>−126/128</sup>: the last exponent stops one step short.",
    },
    {
      task: "44 is nearly seven turns of the quickest clock. How far apart do positions 0 and 44 look on it? Which clock tells them apart (d = 128)?",
      solution:
        "The two hands of the quickest clock are {first}° apart: nearly the same. The next clock already shows {second}°. One clock alone confuses positions; the row of clocks does not.",
    },
  ],
  rotation: [
    {
      task: "Write down the matrix that moves a position by 3 steps on the quickest clock. Check it at position 5.",
      solution:
        "Its rows are ({t0}, {t1}) and ({t2}, {t3}): cos 3 and sin 3. Position 5 is (sin 5, cos 5) = ({from0}, {from1}). The matrix makes ({to0}, {to1}) of it, and that is (sin 8, cos 8).",
    },
    {
      task: "For d = 8 and base 100 the dot product of positions 5 and 8 is {here}. What is it for 5000 and 5003? And what for a position with itself?",
      solution:
        "{there} again: it depends on the distance alone, because cos a cos b + sin a sin b = cos(a − b). With itself every clock gives 1, so four clocks give {self}.",
    },
    {
      task: "Show that two moves by 3 steps are one move by 6. Which matrix moves back?",
      solution:
        "Turning by an angle twice is turning by twice the angle; the library’s matrices differ by {error}. The way back is the transposed matrix: it turns by the same angle to the other side.",
    },
  ],
  adding: [
    {
      task: "Draw 200 random vectors. Within how many degrees of a right angle are 95 of 100 pairs, with 4 numbers each, and with 512?",
      solution:
        "Within {few}° with 4 numbers, which says nothing, and within {many}° with 512. In many dimensions nearly everything is nearly at right angles. That is why a sum of word and position can be taken apart.",
    },
    {
      task: "A query is made of word plus position, and so is a key. Multiply their product out. Which term knows only where the words stand?",
      solution:
        "Four terms: word with word, word with position, position with word, position with position. The last knows only places. In <code>05-adding.js</code> they are {ww}, {wp}, {pw} and {pp}; together {all}.",
    },
    {
      task: "A position of 64 numbers is appended to a word of 64 instead of being added. How large does the matrix become that makes a query of 64 numbers?",
      solution:
        "The input has {wide} numbers, so the matrix has {wide} × 64 = {joined} instead of 64 × 64 = {added}. Adding is appending with both halves of that matrix tied together: cheaper, and in many dimensions hardly worse.",
    },
  ],
  learned: [
    {
      task: "GPT-2 has a learned table for {length} positions of {dim} numbers. How many parameters is that? Which is the last position?",
      solution:
        "{length} × {dim} = {numbers} parameters. The last row is {last}, as counting starts at 0. For position {length} there is no row: posenc throws an error, and so should your code.",
    },
    {
      task: "A table has 48 rows and is trained on texts of 20 words. How many rows does training never change?",
      solution:
        "{still}: only rows that were added to a word get a gradient. The others still hold the noise that they began with, and a text of 30 words reads it as if it meant something.",
    },
    {
      task: "Nobody tells a learned table that rows 10 and 11 are neighbours. Why do they become similar all the same?",
      solution:
        "Because similar answers are right for them. If words 10 and 11 have to look at nearly the same words, what helps one row helps the other. Order is found in the task, not given.",
    },
  ],
  relative: [
    {
      task: "Shaw’s encoding cuts distances off at K = 16. How many vectors does it learn?",
      solution:
        "{vectors}: 16 to the left, 16 to the right, and one for distance 0. “16 or farther” shares the outermost one.",
    },
    {
      task: "T5 has 32 buckets up to distance 128. Which are the first two distances to the left that share a bucket? From which distance on do all share the last one?",
      solution:
        "{first} and {second} are the first to share. From {last} on all distances fall into the last bucket, although the limit is 128: buckets grow like logarithms, and the last one opens there.",
    },
    {
      task: "A causal text has 512 words. How many pairs of query and key are there, and how many different distances?",
      solution:
        "{pairs} pairs and {distances} distances, from 0 to 511. Whoever asks for distances has that much less to learn, and every distance is met at many places.",
    },
  ],
  rope: [
    {
      task: "One clock of frequency 1. A query (1, 0) stands at position 5, a key (1, 0) at position 3. What is their score?",
      solution:
        "The query points at angle 5, the key at angle 3. Their dot product is cos(5 − 3) = {score}. At 105 and 103 it is the same.",
    },
    {
      task: "In <code>08-rope.js</code> a query at 12 and a key at 20 score {score}. What do they score at 112 and 120? And if query and key change places?",
      solution:
        "At 112 and 120: {moved}, the same distance. Exchanged: {swapped}. The distance is now −8, and RoPE knows left from right.",
    },
    {
      task: "Two layouts are in use: halves and interleaved. Which column does column 1 form a pair with, if a head has 64 numbers?",
      solution:
        "With column {half} by halves, with column {interleaved} interleaved. Weights of one layout read in the other give no error, only nonsense: check this first when a converted model babbles.",
    },
  ],
  alibi: [
    {
      task: "ALiBi with 8 heads. What does a step back cost the first head, and the last? How do you get from one head to the next?",
      solution: "{steep} and {flat}. Each slope is the one before, divided by {ratio}: 1/2, 1/4 … 1/256.",
    },
    {
      task: "How many keys back has a key half the weight of the nearest one, in the last head? Derive it.",
      solution:
        "The weight falls as e<sup>−slope × distance</sup>. It is half at ln 2 / slope: {half} keys. At 1 / slope, {nat} keys, it is 1/e.",
    },
    {
      task: "All keys fit equally well, and the text has 4096. What share of the first head’s weight is on the last 8 keys, and of the last head’s on the last 1024?",
      solution:
        "{steep} % and {flat} %: the same share, because slope × distance is 4 in both. A head has a reach of its own, and a longer text does not change it.",
    },
  ],
  "long-context": [
    {
      task: "RoPE, d = 128, base 10 000, trained on 4096 tokens. How many of the {pairs} clocks never came round in training? How many would not at 32 768?",
      solution:
        "{never}, and {longer} at 32 768. These clocks show angles in a longer text that the model has never seen. That is what breaks first.",
    },
    {
      task: "Linear interpolation by 8 divides all positions by 8. How far apart are two neighbours on the quickest clock, before and after?",
      solution:
        "{before}° before and {after}° after. Far positions are back in the range that was trained; the price is that neighbours are harder to tell apart.",
    },
    {
      task: "NTK scaling by 8 raises the base instead. By what factor does it slow the first clock, the one in the middle (pair 32 of 64), and the last?",
      solution:
        "By {first}, {middle} and {last}. The quick clocks, which tell neighbours apart, keep their speed, and only the slowest is slowed by the whole factor.",
    },
  ],
  images: [
    {
      task: "Three words, then a picture of 4 × 6 patches, with M-RoPE. Which position does the next word get?",
      solution:
        "{next}: the picture begins at 3, and its longer side takes 6 positions. Its 24 patches use 24 tokens and only 6 positions.",
    },
    {
      task: "12 × 12 patches are numbered in a line. How alike are the last patch of a row and the first of the next row, compared with a patch and itself? And with rows and columns kept apart?",
      solution:
        "{line} in a line: the encoding takes them for neighbours. {grid} on the grid: it has noticed that they stand at opposite ends.",
    },
    {
      task: "Swin’s windows have 7 × 7 patches. How many pairs of patches are there, and how many entries does the table of biases need?",
      solution:
        "{pairs} pairs and {entries} entries: a distance down and one across, each from −6 to 6, 13 × 13. All pairs with the same two distances share one.",
    },
  ],
  models: [
    {
      task: "Read the config of Llama 3.1 8B in the figure. How many of its 64 clocks does the rule leave alone, how many does it slow by the whole factor, and how many lie between?",
      solution: "{same} stay, {slowed} are slowed by 8, {blended} lie between.",
    },
    {
      task: "Llama 2 has base 10 000, Llama 3 has 500 000, both with heads of 128 numbers. How many positions does the slowest clock take for a turn?",
      solution: "{two} and {three}. A larger base leaves room for longer texts before an angle comes back.",
    },
    {
      task: "Which encoding would you choose for a classifier of short texts, for long generation, to extend a model that exists, and for an image classifier?",
      solution:
        "posenc’s first choices are <code>{short}</code>, <code>{long}</code>, <code>{extend}</code> and <code>{vision}</code>. Other answers can be right: ask for the reason. A fixed length and training data for every row speak for a table; unknown lengths speak against it.",
    },
  ],
  speed: [
    {
      task: "Queries and keys of 32 heads, 1024 words, 64 numbers each are rotated. A pair costs four multiplications. How many is that?",
      solution: "{products}. A processor with four lanes does them in a quarter of the instructions.",
    },
    {
      task: "The same numbers are copied into the library’s memory and back, 4 bytes each. How many megabytes move? How long does that take at 10 GB/s?",
      solution: "{megabytes} MB, {time} ms. Copying can cost more than rotating: keep tensors in the library’s memory.",
    },
    {
      task: "Run the race on two machines. Why do you compare ratios and not milliseconds? Name two things that change the milliseconds and hardly the ratio.",
      solution:
        "Both sides run on the same processor at the same moment: its clock rate, its heat and other programs slow both. A ratio from one run says something about the code; milliseconds also say something about the machine.",
    },
  ],
};
