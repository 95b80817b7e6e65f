/** Markup that was written here. Every other text is escaped when it gets into markup. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | readonly Part[];

/** ``html`<p>${text}</p>` ``: texts are escaped, lists are joined, and undefined is nothing. */
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
