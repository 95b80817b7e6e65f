import { html, type Markup } from "./markup.js";

/** Renders the Markdown that descriptions use: paragraphs, `code` and **bold**. */
export function prose(text: string | undefined): Markup | undefined {
  if (!text) return undefined;
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`;
}

export function inline(text: string): Markup[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith("`")) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece.startsWith("**") ? html`<strong>${piece.slice(2, -2)}</strong>` : html`${piece}`;
  });
}
