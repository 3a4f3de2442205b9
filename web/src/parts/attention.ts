// The part `attention`: scores, attention, and what tables and biases say about them.
import { attention, queryTemperature } from "../attention/attention.js";
import { attentionBackward, attentionOptions, attentionRows } from "../encodings/scores.js";
import { distanceProfile, scoreTerms, similarity } from "../explain/insight.js";

export const attentionPart = {
  attention,
  attentionBackward,
  attentionOptions,
  attentionRows,
  distanceProfile,
  queryTemperature,
  scoreTerms,
  similarity,
};
