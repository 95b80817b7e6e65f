import { getDesign } from "../../base/assets.js";
import { escapeMarkup } from "../../base/markup.js";
import { type Chart, formatChart } from "./charts.js";
import type { ReportTable } from "./table.js";

interface Page {
  title: string;
  notes: readonly string[];
  charts: readonly Chart[];
  tables: readonly ReportTable[];
}

/**
 * Formats a report as an HTML file that can be sent to a customer: it needs no other files and no scripts.
 */
export function formatHtml({ title, notes, charts, tables }: Page): string {
  const text = escapeMarkup;
  const drawn = charts.map(
    (chart) => `<section><h2>${text(chart.title)}</h2>${formatChart(chart)}</section>`,
  );
  const shown = tables.map(
    ({ title: name, header, rows }) =>
      `<section><h2>${text(name)}</h2><div class="scroll" tabindex="0"><table><thead>${formatRow(header, 'th scope="col"')}</thead>` +
      `<tbody>${rows.map((row) => formatRow(row, "td")).join("")}</tbody></table></div></section>`,
  );
  const [first = "", ...remaining] = shown;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title><style>${getDesign()}</style></head>
<body class="document"><header><h1>${text(title)}</h1>${notes.map((note) => `<p class="faint">${text(note)}</p>`).join("")}</header>
<main>${[first, ...drawn, ...remaining].join("\n")}</main></body></html>
`;
}

function formatRow(cells: readonly string[], element: string): string {
  const [name] = element.split(" ");
  const formatted = cells.map(
    (cell, index) => `<${element} class="${index === 0 ? "wide" : "number"}">${escapeMarkup(cell)}</${name}>`,
  );
  return `<tr>${formatted.join("")}</tr>`;
}
