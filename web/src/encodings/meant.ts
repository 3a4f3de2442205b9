// Hints for errors: names that other libraries use in specs. The core, which checks specs, knows only its own names.
import { PosencError } from "../base/errors.js";
import { defaultsOf, familyOf, isKind, kindNames, learnedOf } from "../base/kinds.js";
import { aliasesOf, meantBy, spelled, type Aliases } from "../base/names.js";
import type { Kind } from "../base/specs.gen.js";

const fields: Aliases =
  "base:theta,ropetheta,rotarybase,rotaryembbase,ropebase,temperature,thetabase,maxwavelength,n " +
  "dim:dmodel,hiddensize,embeddim,embeddingdim,embeddingsize,headdim,headsize,dhead,dmodelhead,nembd,dims,width,modeldim,numposfeats,features,emb,demb " +
  "heads:numheads,nheads,nhead,numattentionheads,attentionheads,numkeyvalueheads " +
  "length|originalLength:maxlen,maxlength,maxseqlen,maxsequencelength,maxpositionembeddings,npositions,nctx,contextlength,seqlen,sequencelength,numpositions,numembeddings,maxpositions,maxposition,vocabsize " +
  'pairing="interleaved":interleaved,ropeinterleave,ropeinterleaved,isinterleaved,gptj ' +
  'pairing="half":isneoxstyle,neoxstyle,neox,rotatehalf ' +
  "originalLength:originalmaxpositionembeddings,originalcontextlength,originalmaxlength,pretrainedlength rotaryDim:partialrotaryfactor,rotarypct,ropepct,rotaryndims,rotaryfraction " +
  "attentionFactor:attnfactor factor:scalingfactor,ropefactor,ropescaling,ropescale " +
  "sections:mropesection,mropesections interleavedSections:mropeinterleaved " +
  "frequencies:invfreq,inversefrequencies,freqs maxDistance:maxrelativeposition,maxrelativepositions,maxpositiondistance,k " +
  "start:offset,startposition maxBias:alibibiasmax,biasmax";

const kinds: Aliases =
  "rope:rotary,rotaryembedding,rotarypositionembedding,default,llama,neox,gptneox,gptj " +
  "sinusoidal:sine,sin,sincos,cosine,fixed,vanilla,transformer,positional,positionalencoding " +
  "sinusoidal|learned:abs,absolute,ape learned:learnable,trainable,embedding,lookup,learnedabsolute,gpt2,bert " +
  "shaw|t5:relative,relativeposition,rel,rpe,relativekey,relativekeyquery t5:t5bias,bucket,bucketed,relativebias,relativeattentionbias " +
  "swin:relativepositionbias,rpb,window rope-axial:rope2d,2drope,axialrope,visionrope sinusoidal-2d:2d,sincos2d,sine2d,detr " +
  "rope-ntk:ntkaware,ntkscaled rope-dynamic:dynamicntk,ntkdynamic rope-longrope:su,phi3 rope-yarn:deepseekyarn,telechat3yarn " +
  "rope-linear:positioninterpolation,pi rope-mrope:multimodal none:nope,no,null transformer-xl:xl,txl,xlnet deberta:disentangled";

/** Returns the error with a suggestion for an unknown kind or field. */
export function withMeaning(error: unknown, spec: object): unknown {
  if (!(error instanceof PosencError) || error.code !== "invalid-spec" || !error.field) return error;
  const { kind } = (spec ?? {}) as { kind?: unknown };
  const hint = isKind(kind) ? ofField(error.field, kind) : error.field === "kind" ? ofKind(String(kind)) : "";
  // The hint goes between the error and the list of valid values.
  const [, wrong, rest] = /^([^]*?)(; [^]*)?$/.exec(error.message)!;
  return hint ? new PosencError(error.code, `${wrong} (${hint})${rest ?? ""}`, error.field) : error;
}

function ofKind(name: string): string {
  const meant = meantBy(name, kindNames(), kinds);
  return meant.length > 0 ? `did you mean ${meant.map((kind) => JSON.stringify(kind)).join(" or ")}?` : "";
}

function ofField(name: string, kind: Kind): string {
  const known = [...Object.keys(defaultsOf(kind)), ...learnedOf(kind)];
  if (known.includes(name)) return "";
  const [meant] = meantBy(name, known, fields);
  const [missing] = aliasesOf(name, fields) ?? [];
  if (!meant) return missing ? `${kind} has no \`${missing.split("=")[0]}\`: leave it out` : "";
  const isHead = meant === "dim" && familyOf(kind) === "rotary";
  return `did you mean \`${spelled(meant)}\`${isHead ? ", the size of one head" : ""}?`;
}
