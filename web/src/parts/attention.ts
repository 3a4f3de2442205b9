// The part `attention`: scores, attention, and what tables and biases say about them.
export { attention, queryTemperature } from "../attention/attention.js";
export { attentionBackward, attentionOptions, attentionRows } from "../encodings/scores.js";
export { distanceProfile, scoreTerms, similarity } from "../explain/insight.js";
