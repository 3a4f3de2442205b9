// The stylesheet. Colours derive from the page's text colour, so light and dark pages need no settings.

const css = `
:host { display: block; container-type: inline-size; color: inherit; font-size: var(--posenc-font-size, 0.9375em); line-height: 1.5;
  --line: var(--posenc-line, color-mix(in srgb, currentColor 22%, transparent));
  --soft: var(--posenc-soft, color-mix(in srgb, currentColor 72%, transparent));
  --fill: var(--posenc-fill, color-mix(in srgb, currentColor 7%, transparent));
  --accent: var(--posenc-accent, currentColor); --radius: var(--posenc-radius, 8px); }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
h3, h4, p, ul, dl, dd { margin: 0; }
h3 { font-size: 1.15em; overflow-wrap: anywhere; }
h4 { margin: 1.4em 0 0.4em; font-size: 1em; }
code { font-family: var(--posenc-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); font-size: 0.92em; overflow-wrap: anywhere; }
button { padding: 0.35em 1em; border: 1px solid var(--accent); border-radius: var(--radius); background: transparent; color: inherit;
  font: inherit; cursor: pointer; }
button:hover { background: var(--fill); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.drop { padding: 1.2em; border: 2px dashed var(--line); border-radius: var(--radius); text-align: center; }
.drop.over { border-color: var(--accent); background: var(--fill); }
.drop p { margin-top: 0.5em; }
.soft, .drop p, dt, th { color: var(--soft); }
.status:not(:empty) { margin-top: 0.8em; }
.status.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.work { display: flex; flex-wrap: wrap; align-items: center; gap: 0.8em; margin-top: 0.5em; }
progress { flex: 1 1 10em; min-width: 6em; accent-color: var(--posenc-accent, auto); }
.error { margin-top: 0.5em; padding: 0.7em 0.9em; border: 1px solid var(--posenc-error, #b3261e); border-inline-start-width: 5px;
  border-radius: var(--radius); overflow-wrap: anywhere; }
.again, ul + p { margin-top: 0.6em; }
.drop:not([hidden]) ~ .result { margin-top: 1.2em; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4em 0.9em 0.4em 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { font-weight: 500; white-space: nowrap; }
td { overflow-wrap: break-word; }
td.short { overflow-wrap: normal; white-space: nowrap; }
ul { padding: 0; list-style: none; }
li { padding: 0.5em 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.severity { display: inline-block; padding: 0 0.6em; border-radius: 99px; background: var(--fill); font-size: 0.85em; font-weight: 600; }
.severity.error-level { background: var(--posenc-error, #b3261e); color: #fff; }
.severity.warning-level { background: var(--posenc-warning, #855400); color: #fff; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.2em 1em; margin-top: 0.6em; }
dd { overflow-wrap: anywhere; }
.command { display: block; margin-top: 0.4em; padding: 0.6em 0.8em; border-radius: var(--radius); background: var(--fill); }
.explanation + .explanation { margin-top: 0.8em; }
@container (max-width: 38rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5em 0; border-bottom: 1px solid var(--line); }
  td, td.short { display: grid; grid-template-columns: minmax(5.5em, 28%) minmax(0, 1fr); gap: 0.7em; padding: 0.12em 0; border: 0;
    white-space: normal; }
  td::before { content: attr(data-column); color: var(--soft); }
  td:empty { display: none; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.4em; }
}`;

let sheet: CSSStyleSheet | undefined;

/** Styles a shadow root. Constructed sheets need no permission of a Content-Security-Policy. */
export function adoptStyle(root: ShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  root.adoptedStyleSheets = [sheet];
}
