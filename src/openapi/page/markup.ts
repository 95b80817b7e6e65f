/** Markup that `html` inserts without escaping. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | readonly Part[];

/**
 * Template tag for markup, as in ``html`<p>${text}</p>` ``. Escapes strings, joins lists and omits undefined.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  const text = strings.map((string, index) => string + (index < parts.length ? textOf(parts[index]) : ""));
  return new Markup(text.join(""));
}

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
