import { escapeMarkup } from "../../base/markup.js";
import type { ReportTable } from "./table.js";

const style = `
:root { color-scheme: light dark; --text: #1b1f24; --muted: #59636e; --line: #d1d9e0; --bar: #2f6f8f; --missed: #b3412f; --page: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --muted: #9198a1; --line: #3d444d; --bar: #6fb6d9; --missed: #f0806a; --page: #14181d } }
@media print { :root { --text: #000; --muted: #444; --line: #bbb; --bar: #2f6f8f; --missed: #b3412f; --page: #fff } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.6rem; margin: 0 0 .25rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
p { color: var(--muted); margin: .25rem 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 6.5rem }
svg { width: 100%; height: auto } svg text { font-size: 11px; fill: var(--muted) }
@media print { body { padding: 0; max-width: none; font-size: 10.5pt } section { break-inside: avoid } .wide { overflow: visible } table { font-size: 9pt } th, td { padding: .25rem .35rem } }
.bar { fill: var(--bar) } .missed { fill: var(--missed) } .axis { stroke: var(--line) }
`;

interface Page {
  title: string;
  notes: readonly string[];
  /** Charts as SVG, which is trusted and therefore not escaped. */
  charts: readonly { title: string; svg: string }[];
  tables: readonly ReportTable[];
}

/** Formats a report as a self-contained HTML file without scripts, which can be sent to a customer. */
export function formatHtml({ title, notes, charts, tables }: Page): string {
  const text = escapeMarkup;
  const drawn = charts.map(({ title: name, svg }) => `<section><h2>${text(name)}</h2>${svg}</section>`);
  const shown = tables.map(
    ({ title: name, header, rows }) =>
      `<section><h2>${text(name)}</h2><div class="wide"><table><thead><tr>${header.map((cell) => `<th scope="col">${text(cell)}</th>`).join("")}</tr></thead>` +
      `<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${text(cell)}</td>`).join("")}</tr>`).join("")}</tbody></table></div></section>`,
  );
  const [first = "", ...remaining] = shown;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title><style>${style}</style></head>
<body><header><h1>${text(title)}</h1>${notes.map((note) => `<p>${text(note)}</p>`).join("")}</header>
<main>${[first, ...drawn, ...remaining].join("\n")}</main></body></html>
`;
}
