// The text of --help.
export const helpText = `posenc: inspect and change the positions inside exported models.

  posenc inspect PATH …          list positional components and problems
  posenc rewrite PATH -o OUT     write the model with other positions; everything else stays byte for byte

PATH is a model (.onnx; inspect also reads .gguf), or a folder with models in it or in its subfolder onnx.
config.json is read from the model's folder or the one above; external data from the model's folder.

inspect
  --config FILE                  compare the models with this config.json; --no-config: with none
  --json                         output for programs; with rewrite: the files it writes

rewrite: rotations (all, or those that --component selects)
  --yarn F  --linear F  --ntk F  --dynamic F  --llama3 F
                                 scale by the factor F
  --original-length N            context length of the training; default: from config.json
  --base B                       another base, with or without one of these
  --spec JSON                    any rotation: '{"kind":"rope-longrope", …}'
  --config FILE                  the rotation of that config.json
  --component N,N                only these components, numbered as inspect prints them

rewrite: everything else
  --length N                     positions that tables must have; also the length for dynamic scaling
  --resize linear                resize learned tables to --length: nearest, linear, bicubic
  --align-corners                keep their first and last rows when resizing
  --grid RxC                     resize a table of image patches: --grid 16x16
  --bias JSON                    other slopes or distances: '{"kind":"alibi","maxBias":4}'
  --max-distance N               the largest distance with its own bucket (T5, DeBERTa)
  --window N                     attend only to keys at a distance below N
  --remap JSON                   other far distances: '{"kind":"rerope","window":1024}'
  --temperature JSON             a factor of the scores by position: '{"rule":"log-n","length":4096}'
  --angles float32               compute angles in float32 instead of float16
  --tables inputs                make cosines and sines inputs of the graph
  --attention                    make each layer's attention weights outputs
  --fix CODE,CODE                fix these findings of inspect; --fix all

  --explain                      write nothing: print the changes, also as options of llama.cpp and fields of configs
  --no-config                    do not read a config.json
  -o, --out PATH                 file to write, or an existing folder to write into
  --force                        overwrite that file (never the source or copies of other files)
  --progress                     show progress, even without a terminal
  -h, --help    -v, --version

Exit code: 0 all is well, 1 a finding is an error or it cannot be done, 2 the command is wrong.`;
