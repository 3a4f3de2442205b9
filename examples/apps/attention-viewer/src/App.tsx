import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { HeadRow } from "./HeadRow";
import { Profile } from "./Profile";
import type { Component, Reply, Request, Run } from "./worker";
import "./style.css";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const folder = new URL("models/bible/", document.baseURI).href;

interface Files {
  model: File;
  tokenizer: Blob | undefined;
}

async function fetched(path: string): Promise<File> {
  const response = await fetch(folder + path);
  return new File([await response.blob()], path);
}

function App() {
  const [files, setFiles] = useState<Files>();
  const [text, setText] = useState("");
  const [components, setComponents] = useState<Component[]>([]);
  const [run, setRun] = useState<Run>();
  const [longest, setLongest] = useState(127);
  const [skipsFirst, setSkipsFirst] = useState(false);
  const [pointed, setPointed] = useState<{ name: string; distance: number }>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");

  function show(chosen: Files, words = text): void {
    setFiles(chosen);
    setError("");
    setBusy(true);
    setComponents([]);
    setRun(undefined);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ("components" in data) return setComponents(data.components);
      if ("heads" in data) setRun(data);
      else setError(data.error);
      setBusy(false);
    };
    const { model, tokenizer } = chosen;
    worker.postMessage({ model, tokenizer, text: words, tokens: 256 } satisfies Request);
  }

  async function showSample(): Promise<void> {
    try {
      const paths = ["onnx/model_fp16.onnx", "tokenizer.json", "held-out.txt"];
      const [model, tokenizer, book] = (await Promise.all(paths.map(fetched))) as [File, File, File];
      const words = (await book.text()).slice(0, 2000);
      setText(words);
      show({ model, tokenizer }, words);
    } catch (reason) {
      setError(String(reason));
    }
  }

  function choose(list: FileList | null): void {
    const given = [...(list ?? [])];
    const model = given.find(({ name }) => !name.endsWith(".json"));
    if (model) show({ model, tokenizer: given.find(({ name }) => name.endsWith(".json")) });
  }

  useEffect(() => void showSample(), []);

  const last = Math.min(longest, (run?.tokens ?? 1024) - 1);
  const rows = (run?.heads ?? []).map((head) => ({ name: head.name, weights: skipsFirst ? head.later : head.weights }));
  const weight = rows.find(({ name }) => name === pointed?.name)?.weights[pointed?.distance ?? 0];
  return (
    <main
      aria-busy={busy}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        choose(event.dataTransfer.files);
      }}
    >
      <h1>Attention by distance</h1>
      <p>
        Drop an ONNX model of text here, with its <code>tokenizer.json</code> if you have it. posenc finds the positions
        in the graph and makes the attention weights outputs; onnxruntime runs it in this page. Nothing is uploaded.
      </p>
      <fieldset disabled={busy}>
        <label>
          Model and tokenizer
          <input type="file" multiple accept=".onnx,.json" onChange={(event) => choose(event.target.files)} />
        </label>
        <label>
          Longest distance: {last}
          <input
            type="range"
            {...{ min: 15, max: 255, step: 8, value: longest }}
            onChange={(event) => setLongest(Number(event.target.value))}
          />
        </label>
        <label className="wide">
          Text, of which the model reads the first 256 tokens
          <textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <button disabled={!files} onClick={() => show(files!)}>
          Run again
        </button>
        <button onClick={() => void showSample()}>Show the sample</button>
      </fieldset>
      {error && <p role="alert">{error}</p>}
      <p role="status">{busy && "reading the model …"}</p>
      {components.length > 0 && <h2>Positions: their part of the scores</h2>}
      {components.map((component, i) => (
        <Profile key={i} component={component} longest={last} />
      ))}
      {files && !busy && !error && components.length === 0 && <p>The graph contains no positional component.</p>}
      {rows.length > 0 && (
        <>
          <h2>Heads: mean attention at each distance</h2>
          <p className="note">
            {files!.model.name}, {run!.tokens} {files!.tokenizer ? "tokens of the text" : "random token ids"},{" "}
            {run!.isCausal ? "distances to earlier tokens" : "distances in both directions"}. Rows are layer.head.
          </p>
          <label className="check">
            <input type="checkbox" checked={skipsFirst} onChange={(event) => setSkipsFirst(event.target.checked)} />
            leave out the first token, which many heads use as a sink
          </label>
          <output>
            {weight === undefined
              ? "Point at a row to read its values."
              : `Head ${pointed!.name}: ${weight.toFixed(4)} at distance ${pointed!.distance}`}
          </output>
          <table>
            <thead>
              <tr>
                <th>head</th>
                <th>
                  <span>distance 0</span>
                  <span>{last}</span>
                </th>
                <th>mean distance</th>
                <th>at 1</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, weights }) => (
                <HeadRow
                  key={name}
                  {...{ name, weights, longest: last }}
                  onPoint={(distance) => setPointed({ name, distance })}
                />
              ))}
            </tbody>
          </table>
          <p className="legend">
            0.001 <span /> 1
          </p>
        </>
      )}
    </main>
  );
}

createRoot(document.querySelector("#root")!).render(<App />);
