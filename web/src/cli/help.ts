// What --help prints.
export const helpText = `posenc: the positions inside exported models.

  posenc inspect PATH …          what the positions are, and what is wrong with them
  posenc rewrite PATH -o OUT     the model with other positions; all else stays byte for byte

PATH is a model (.onnx, to inspect also .gguf) or a folder with models in it or in its folder onnx.
config.json is looked for beside the model and above; external data are looked for beside it.

inspect
  --config FILE                  the config.json to hold the models against; --no-config: none
  --json                         for programs; of rewrite: what it writes

rewrite: rotations, all of them or those of --carrier
  --yarn F  --linear F  --ntk F  --dynamic F  --llama3 F
                                 scaled by the factor F
  --original-length N            the tokens that the model was trained for; else config.json says it
  --base B                       another base, alone or with one of these
  --spec JSON                    any rotation: '{"kind":"rope-longrope", …}'
  --config FILE                  what that config.json says
  --carrier N,N                  only these, by the numbers that inspect prints

rewrite: all else
  --length N                     tokens that tables must do for, and that dynamic scalings go by
  --resize linear                learned tables get that many rows: nearest, linear, bicubic
  --align-corners                their ends stay where they are
  --grid RxC                     a table of image patches for another image: --grid 16x16
  --bias JSON                    slopes or distances: '{"kind":"alibi","maxBias":4}'
  --max-distance N               where the buckets of T5 and DeBERTa end
  --angles float32               angles that are computed in float16 are computed in float32
  --tables inputs                cosines and sines become inputs of the graph, of all rotations or --carrier's
  --attention                    each layer's attention weights become outputs
  --mend CODE,CODE               what mends these findings of inspect; --mend all

  --no-config                    config.json beside the model and above it is not read
  -o, --out PATH                 the file that is written; the folder, where PATH is one
  --force                        overwrites the file of that name; never the source, nor copies of other files
  --progress                     says how far it is, also where no terminal is
  -h, --help    -v, --version

Exit code: 0 all is well, 1 a finding is an error or it cannot be done, 2 the command is wrong.`;
