import { linesOf, tooLong } from "../lines.js";

/** Maximum number of characters in a card. Cards may contain photos. */
const cardLimit = 16 * 1024 * 1024;

/** A vCard, or text outside vCards. */
export interface CardText {
  line: number;
  lines: readonly string[];
  problem?: string;
}

const begin = /^\s*BEGIN\s*:\s*VCARD\s*$/i;
const end = /^\s*END\s*:\s*VCARD\s*$/i;

/** Yields vCards. Also yields text outside vCards, as a problem. */
export async function* cardsOf(text: AsyncIterable<string>, name: string): AsyncGenerator<CardText, void> {
  let card: { line: number; lines: string[]; size: number } | undefined;
  let outside: { line: number; lines: string[] } | undefined;
  let number = 0;
  for await (const content of linesOf(text, name, cardLimit)) {
    number += 1;
    if (card !== undefined && !begin.test(content)) {
      card.lines.push(content);
      card.size += content.length;
      if (card.size > cardLimit) throw tooLong(name, card.line, cardLimit);
      if (!end.test(content)) continue;
      yield { line: card.line, lines: card.lines };
      card = undefined;
    } else if (begin.test(content)) {
      if (outside !== undefined) yield { ...outside, problem: "is text outside a vCard" };
      outside = undefined;
      if (card !== undefined) yield { ...card, problem: "has no END:VCARD" };
      card = { line: number, lines: [content], size: content.length };
    } else if (content.trim() !== "") {
      outside ??= { line: number, lines: [] };
      outside.lines.push(content);
    }
  }
  if (outside !== undefined) yield { ...outside, problem: "is text outside a vCard" };
  if (card !== undefined) yield { ...card, problem: "ends without END:VCARD and is probably truncated" };
}

function headOf(line: string): string {
  return /^[^:"]*(?:"[^"]*"[^:"]*)*(?=:)/.exec(line)?.[0] ?? "";
}

/** A line of a vCard, such as `item1.TEL;TYPE=WORK:+49 30 123456`. */
export interface CardLine {
  /** Name in uppercase, without the group: `TEL`. */
  name: string;
  /** Group in lowercase, such as `item1`. Properties with the same group belong together. */
  group: string;
  /** Parameters as written: `TYPE=WORK`, or only `WORK`. */
  params: readonly string[];
  value: string;
}

/** Joins the lines of each property. */
export function propertiesOf({ lines }: CardText): (CardLine | { problem: string })[] {
  const joined: string[][] = [];
  for (const line of lines.slice(1, -1)) {
    const parts = joined.at(-1);
    const [first = "", last = ""] = [parts?.[0], parts?.at(-1)];
    // Quoted-printable values continue on the next line after a final "=".
    if (parts !== undefined && last.endsWith("=") && /quoted-printable/i.test(headOf(first)))
      parts.splice(-1, 1, last.slice(0, -1), line);
    else if (parts !== undefined && /^[ \t]/.test(line)) parts.push(line.slice(1));
    else if (line.trim() !== "") joined.push([line]);
  }
  return joined.map((parts) => parseLine(parts.join("")));
}

function parseLine(line: string): CardLine | { problem: string } {
  const head = headOf(line);
  const [whole = "", ...params] = head.match(/(?:[^;"]|"[^"]*")+/g) ?? [];
  const [, group = "", name] = /^\s*(?:([\w-]+)\.)?([\w-]+)\s*$/.exec(whole) ?? [];
  if (name === undefined) return { problem: `has the line "${line.slice(0, 40)}", which is not a property` };
  return {
    ...{ name: name.toUpperCase(), group: group.toLowerCase(), params },
    value: line.slice(head.length + 1),
  };
}
