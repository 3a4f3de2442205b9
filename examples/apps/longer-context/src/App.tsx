import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chart, meanOf } from "./Chart";
import { ruleNames, rules, type RuleName } from "./rules";
import type { Measured, Reply, Request } from "./worker";
import "./style.css";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

/** Measures one rule at a time. */
function measure(request: Request, onText: (text: string) => void): Promise<Measured> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ("text" in data) onText(data.text);
      else if ("error" in data) reject(data.error);
      else resolve(data.measured);
    };
    worker.onerror = ({ message }) => reject(message);
    worker.postMessage(request);
  });
}

// ?model=org/name&dtype=q4&host=https://… shows another model.
const query = new URLSearchParams(location.search);
const sample = "bible";
const folder = new URL("models/", document.baseURI).pathname;
const shownLoss = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(2));

function App() {
  const [model, setModel] = useState(query.get("model") ?? sample);
  const [text, setText] = useState("");
  const [length, setLength] = useState(1024);
  const [rule, setRule] = useState<RuleName>("trained");
  const [results, setResults] = useState<Partial<Record<RuleName, Measured>>>({});
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState("");

  useEffect(() => {
    fetch(`${folder}${sample}/held-out.txt`)
      .then(async (response) => {
        // Servers for development send the page instead of missing files.
        if (response.headers.get("content-type")?.startsWith("text/plain"))
          setText((await response.text()).slice(0, 12000));
        else setError("The sample is missing: npm run sample copies it.");
      })
      .catch((reason) => setError(String(reason)));
  }, []);

  /** Changes an input. Results are for one text, length and model. */
  function change<T>(set: (value: T) => void, value: T): void {
    set(value);
    setResults({});
  }

  async function run(names: readonly RuleName[]): Promise<void> {
    setError("");
    setBusy("");
    try {
      for (const name of names) {
        setRule(name);
        const dtype = (query.get("dtype") ?? "fp16") as Request["dtype"];
        const request = { model, folder, host: query.get("host"), dtype, rule: name, text, length };
        const measured = await measure(request, setBusy);
        setResults((before) => ({ ...before, [name]: measured }));
        setBusy("");
      }
    } catch (reason) {
      setError(String(reason));
    }
    setBusy(undefined);
  }

  const isBusy = busy !== undefined;
  const shown = ruleNames.flatMap((name) => (results[name] ? [[name, results[name]] as [RuleName, Measured]] : []));
  const current = results[rule];
  return (
    <main aria-busy={isBusy}>
      <h1>Longer context</h1>
      <p>
        A language model fails beyond the length of its training texts. Choose a rule: transformers.js loads the same
        file with other positions, which <code>usePositions</code> of posenc writes into it. Nothing is trained.
      </p>
      <fieldset disabled={isBusy}>
        <label>
          Model
          <input value={model} onChange={(event) => change(setModel, event.target.value)} spellCheck={false} />
        </label>
        <label>
          Tokens: {length}
          <input
            type="range"
            {...{ min: 256, max: 4096, step: 128, value: length }}
            onChange={(event) => change(setLength, Number(event.target.value))}
          />
        </label>
        <label className="wide">
          Text
          <textarea rows={4} value={text} onChange={(event) => change(setText, event.target.value)} />
        </label>
      </fieldset>
      <div className="rules" role="group" aria-label="Rule">
        {ruleNames.map((name) => (
          <button
            key={name}
            className={`rule-${name}`}
            aria-pressed={name === rule}
            disabled={isBusy}
            onClick={() => (results[name] ? setRule(name) : run([name]))}
          >
            {rules[name].label}
          </button>
        ))}
        <button disabled={isBusy} onClick={() => run(ruleNames.filter((name) => !results[name]))}>
          all rules
        </button>
      </div>
      <p className="note">{rules[rule].note}</p>
      {error && <p role="alert">{error}</p>}
      <p role="status">
        {isBusy && `${rules[rule].label}: ${busy ? "continuing the text" : "loading and measuring"} …`}
      </p>
      {shown.length > 0 && <Chart results={shown} />}
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>rule</th>
              <th>loss up to {shown[0]![1].trained}</th>
              <th>beyond</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(([name, { losses, trained }]) => (
              <tr key={name} data-rule={name}>
                <th scope="row" className={`rule-${name}`}>
                  {rules[name].label}
                </th>
                <td>{shownLoss(meanOf(losses.subarray(0, trained)))}</td>
                <td>{shownLoss(meanOf(losses.subarray(trained)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(current || busy) && (
        <>
          <h2>{rules[rule].label} continues</h2>
          <blockquote>
            <span>… {current?.prompt ?? ""}</span>
            <mark>{current?.continuation ?? busy}</mark>
          </blockquote>
        </>
      )}
    </main>
  );
}

createRoot(document.querySelector("#root")!).render(<App />);
