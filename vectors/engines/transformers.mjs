// transformers.js: position ids, which it makes in front of a model. A session without a model keeps the ones it is given.
import { env, LlamaForCausalLM, Qwen2VLForConditionalGeneration, Tensor } from "@huggingface/transformers";

env.allowRemoteModels = false;

const int64 = (data, dims) => new Tensor("int64", BigInt64Array.from(data, BigInt), dims);
const numbers = ({ data, dims }) => ({ data: Float64Array.from(data, Number), dims });

const [image, start] = [7, 8];
const config = {
  image_token_id: image,
  video_token_id: 9,
  vision_start_token_id: start,
  vision_config: { spatial_merge_size: 2 },
};

/** The tokens of texts and images: the last token before an image announces it. */
function tokensOf(segments, merge) {
  return segments.flatMap((segment, i) => {
    if (segment.image) {
      const [frames, height, width] = segment.image;
      return Array(frames * (height / merge) * (width / merge)).fill(image);
    }
    const tokens = Array(segment.text).fill(1);
    if (segments[i + 1]) tokens[tokens.length - 1] = start;
    return tokens;
  });
}

export default {
  async "position-ids-of-mask"({ attention_mask: { data, dims } }) {
    let seen;
    const inputNames = ["input_ids", "attention_mask", "position_ids"];
    const session = {
      inputNames,
      inputMetadata: inputNames.map((name) => ({ name })),
      config: { device: "cpu" },
      run(feeds) {
        seen = feeds.position_ids;
        return {};
      },
    };
    const model = new LlamaForCausalLM({ model_type: "llama" }, { model: session }, {});
    const input_ids = int64(Array(data.length).fill(1), dims);
    await model.forward({ input_ids, attention_mask: int64(data, dims) });
    return { position_ids: numbers({ data: seen.cpuData ?? seen.data, dims: seen.dims }) };
  },

  "mrope-position-ids"(_, { segments, merge }) {
    const tokens = tokensOf(segments, merge);
    const dims = [1, tokens.length];
    const grids = segments.filter((segment) => segment.image).map((segment) => segment.image);
    const model = Object.create(Qwen2VLForConditionalGeneration.prototype, { config: { value: config } });
    const [ids, delta] = model.get_rope_index(
      int64(tokens, dims),
      grids.length > 0 ? int64(grids.flat(), [grids.length, 3]) : undefined,
      undefined,
      int64(Array(tokens.length).fill(1), dims),
    );
    return {
      position_ids: { data: numbers(ids).data, dims: [3, tokens.length] },
      delta: { data: numbers(delta).data, dims: [1] },
    };
  },
};
