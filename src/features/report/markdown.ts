import type { ReportTable } from "./table.js";

/** Escapes markup in names. */
export function formatMarkdown(
  heading: string,
  notes: readonly string[],
  tables: readonly ReportTable[],
): string {
  const parts = tables.map(({ title, header, rows }) =>
    [
      `## ${escapeMarkdown(title)}`,
      "",
      line(header),
      line(header.map((_, index) => (index === 0 ? "---" : "---:"))),
      ...rows.map((row) => line(row.map(escapeMarkdown))),
    ].join("\n"),
  );
  return `${[`# ${escapeMarkdown(heading)}`, notes.map(escapeMarkdown).join("  \n"), ...parts].join("\n\n")}\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[\\`*_[\]<>|#&]/g, (character) => `\\${character}`);
}
