import type { Io } from "../../base/io.js";
import { escapeControl, escapeLines } from "../../base/text.js";

/** Text for a terminal: a string, which is escaped on output, or painted text. */
export type Text = string | Painted;

/** Text whose only control characters are colors; all others are escaped. Only this file creates painted text. */
export type Painted = PaintedText;

class PaintedText {
  readonly #shown: string;

  constructor(shown: string) {
    this.#shown = shown;
  }

  static shownOf(painted: PaintedText): string {
    return painted.#shown;
  }

  /** Returns the text without colors, for code that accepts only strings. */
  toString(): string {
    return this.#shown.replace(/\u001b\[[?\d]*[A-Za-z]/g, "");
  }
}

/** Indents the lines after the first, so that they don't look like voxctl's own lines. */
function indented(text: string): string {
  const escaped = escapeLines(text);
  return escaped.includes("\n") ? escaped.replaceAll("\n", "\n  ") : escaped;
}

function shownBy(text: Text, escaped: (text: string) => string): string {
  return typeof text === "string" ? escaped(text) : PaintedText.shownOf(text);
}

export function toShown(text: Text): string {
  return shownBy(text, escapeLines);
}

export function toParagraph(text: Text): Painted {
  return typeof text === "string" ? new PaintedText(indented(text)) : text;
}

/**
 * Template tag that escapes values unless they are painted. The template itself must be ASCII, because the
 * bundler does not escape it. To use other characters, insert them as values.
 */
export function styled(template: TemplateStringsArray, ...values: readonly (Text | number)[]): Painted {
  let shown = template[0] ?? "";
  for (const [index, value] of values.entries())
    shown += (typeof value === "number" ? String(value) : shownBy(value, indented)) + template[index + 1];
  return new PaintedText(shown);
}

export function joined(parts: readonly Text[], separator = ""): Painted {
  return new PaintedText(parts.map((part) => shownBy(part, indented)).join(separator));
}

/** Returns each part on a separate line; a line break inside a string is shown as `\n`. */
export function toLines(parts: readonly Text[]): Painted {
  return new PaintedText(parts.map((part) => `${shownBy(part, escapeControl)}\n`).join(""));
}

export function splitLines(painted: Painted): Painted[] {
  return PaintedText.shownOf(painted)
    .split("\n")
    .map((line) => new PaintedText(line));
}

/**
 * Shortens a line and ends its colors at the cut.
 * @param cut shortens text that contains colors
 */
export function cutPainted(line: Painted, cut: (text: string) => string): Painted {
  const shown = PaintedText.shownOf(line);
  const shorter = cut(shown);
  return shorter === shown ? line : new PaintedText(`${shorter}\u001b[0m`);
}

export const cursor = {
  eraseLine: new PaintedText("\r\u001b[2K"),
  eraseLineEnd: new PaintedText("\u001b[K"),
  eraseBelow: new PaintedText("\u001b[J"),
  home: new PaintedText("\u001b[H"),
  nextLine: new PaintedText("\r\n"),
  /** Switches to the terminal's alternate screen without a cursor, and back. */
  enterScreen: new PaintedText("\u001b[?1049h\u001b[?25l"),
  leaveScreen: new PaintedText("\u001b[?25h\u001b[?1049l"),
  /** Erases this line and the lines above it, `rows` lines in total. */
  eraseRows: (rows: number): Painted =>
    rows > 1 ? new PaintedText(`\r\u001b[${Math.floor(rows - 1)}A\u001b[J`) : cursor.eraseLine,
};

/**
 * Functions that add colors to text, unless colors are disabled. They escape control characters in strings,
 * but not in `PaintedText`.
 */
export interface Paint {
  bold(text: Text): Painted;
  dim(text: Text): Painted;
  red(text: Text): Painted;
  green(text: Text): Painted;
  yellow(text: Text): Painted;
  cyan(text: Text): Painted;
}

/**
 * Codes of colors that are readable on every background: no bright colors, white, black or backgrounds. Text
 * must have the same meaning without colors.
 */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

function painter(on: boolean, [open, close]: readonly [number, number]): (text: Text) => Painted {
  return on
    ? (text) => new PaintedText(`\u001b[${open}m${shownBy(text, indented)}\u001b[${close}m`)
    : (text) => new PaintedText(shownBy(text, indented));
}

export function createPaint(on: boolean): Paint {
  return {
    bold: painter(on, codes.bold),
    dim: painter(on, codes.dim),
    red: painter(on, codes.red),
    green: painter(on, codes.green),
    yellow: painter(on, codes.yellow),
    cyan: painter(on, codes.cyan),
  };
}

export function wantsColor({ env }: Pick<Io, "env">, stream: { isTTY?: boolean }, flag: boolean): boolean {
  if (!flag || env.NO_COLOR) return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  const { CLICOLOR_FORCE: cliForce } = env;
  if (cliForce !== undefined && cliForce !== "" && cliForce !== "0") return true;
  return env.CLICOLOR !== "0" && stream.isTTY === true && env.TERM !== "dumb";
}
