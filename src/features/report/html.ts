import { getDesign } from "../../base/assets.js";
import { escapeMarkup } from "../../base/markup.js";
import type { ReportTable } from "./table.js";

/** CSS for the layout of the report, in addition to the shared CSS. */
const layout = `
body { max-width: 60rem; margin: 0 auto; padding: var(--space-5) } h2 { margin: var(--space-5) 0 var(--space-2); font-size: var(--text-lg) }
header p { margin: var(--space-1) 0; color: var(--faint) } .wide { overflow-x: auto } table { width: 100% }
:is(th, td) { text-align: end; white-space: nowrap } :is(th, td):first-child { min-width: 6.5rem; text-align: start; white-space: normal }
svg { width: 100%; height: auto } svg text { font-size: 11px; fill: var(--faint) }
.bar { fill: var(--accent) } .missed { fill: var(--bad) } .axis { stroke: var(--line) }
@media print { body { max-width: none; padding: 0 } section { break-inside: avoid } .wide { overflow: visible } }
`;

interface Page {
  title: string;
  notes: readonly string[];
  /** Charts as SVG, which is trusted and therefore not escaped. */
  charts: readonly { title: string; svg: string }[];
  tables: readonly ReportTable[];
}

/** Formats a report as a self-contained HTML file without scripts, so that it can be sent to a customer. */
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
<title>${text(title)}</title><style>${getDesign()}${layout}</style></head>
<body><header><h1>${text(title)}</h1>${notes.map((note) => `<p>${text(note)}</p>`).join("")}</header>
<main>${[first, ...drawn, ...remaining].join("\n")}</main></body></html>
`;
}
