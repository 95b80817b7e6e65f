import type { Io } from "../../base/io.js";
import { escapeControl, escapeLines } from "../../base/text.js";

/** Text on its way to a terminal: a string, which is escaped there, or text that was painted here. */
export type Text = string | Painted;

/** Text with colours, of which everything else is escaped. Only this file makes it. */
export type Painted = PaintedText;

class PaintedText {
  /** The text for a terminal. */
  readonly #shown: string;

  constructor(shown: string) {
    this.#shown = shown;
  }

  static shownOf(painted: PaintedText): string {
    return painted.#shown;
  }

  /** The text without colours: whatever forgets the type loses them, and nothing more. */
  toString(): string {
    return this.#shown.replace(/\u001b\[[?\d]*[A-Za-z]/g, "");
  }
}

/** Indents the lines after the first, so that none passes for a line of voxctl's. */
function indented(text: string): string {
  const escaped = escapeLines(text);
  return escaped.includes("\n") ? escaped.replaceAll("\n", "\n  ") : escaped;
}

function shownBy(text: Text, escaped: (text: string) => string): string {
  return typeof text === "string" ? escaped(text) : PaintedText.shownOf(text);
}

/** The characters that a sink writes for a text. In a string, line breaks stay. */
export function toShown(text: Text): string {
  return shownBy(text, escapeLines);
}

/** The text as a line, or more, that are voxctl's: a line break in a string is followed by an indent. */
export function toParagraph(text: Text): Painted {
  return typeof text === "string" ? new PaintedText(indented(text)) : text;
}

/**
 * A template whose own characters are as written, and whose values are escaped unless they are painted. Others than
 * ASCII belong into values: the bundler leaves those of a tagged template, and bundles are ASCII.
 */
export function styled(template: TemplateStringsArray, ...values: readonly (Text | number)[]): Painted {
  let shown = template[0] ?? "";
  for (const [index, value] of values.entries())
    shown += (typeof value === "number" ? String(value) : shownBy(value, indented)) + template[index + 1];
  return new PaintedText(shown);
}

/** The parts after each other, strings escaped. */
export function joined(parts: readonly Text[], separator = ""): Painted {
  return new PaintedText(parts.map((part) => shownBy(part, indented)).join(separator));
}

/** Returns each part on a separate line; a line break inside a string is shown as `\n`. */
export function toLines(parts: readonly Text[]): Painted {
  return new PaintedText(parts.map((part) => `${shownBy(part, escapeControl)}\n`).join(""));
}

/** The lines of a painted text. */
export function splitLines(painted: Painted): Painted[] {
  return PaintedText.shownOf(painted)
    .split("\n")
    .map((line) => new PaintedText(line));
}

/**
 * A shorter line, whose colours end where it is cut.
 * @param cut shortens text with colours in it
 */
export function cutPainted(line: Painted, cut: (text: string) => string): Painted {
  const shown = PaintedText.shownOf(line);
  const shorter = cut(shown);
  return shorter === shown ? line : new PaintedText(`${shorter}\u001b[0m`);
}

/** Control sequences that move the cursor and clear the terminal. */
export const cursor = {
  eraseLine: new PaintedText("\r\u001b[2K"),
  eraseLineEnd: new PaintedText("\u001b[K"),
  eraseBelow: new PaintedText("\u001b[J"),
  home: new PaintedText("\u001b[H"),
  nextLine: new PaintedText("\r\n"),
  /** The terminal's other screen, without a cursor, and back again. */
  enterScreen: new PaintedText("\u001b[?1049h\u001b[?25l"),
  leaveScreen: new PaintedText("\u001b[?25h\u001b[?1049l"),
  /** Erases the line and the ones above it, `rows` in all. */
  eraseRows: (rows: number): Painted =>
    rows > 1 ? new PaintedText(`\r\u001b[${Math.floor(rows - 1)}A\u001b[J`) : cursor.eraseLine,
};

/** Colours, or the text alone where colour is off; a string is escaped. */
export interface Paint {
  bold(text: Text): Painted;
  dim(text: Text): Painted;
  red(text: Text): Painted;
  green(text: Text): Painted;
  yellow(text: Text): Painted;
  cyan(text: Text): Painted;
}

/**
 * Some of the eight base colors, which every theme shows readably on its background. No bright colors, white, black or
 * backgrounds. A color never adds information to the text.
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

/** Colours where `on`, else the text alone. */
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

/** `--no-color`, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, then whether it is a terminal decide. */
export function wantsColor({ env }: Pick<Io, "env">, stream: { isTTY?: boolean }, flag: boolean): boolean {
  if (!flag || env.NO_COLOR) return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  const { CLICOLOR_FORCE: cliForce } = env;
  if (cliForce !== undefined && cliForce !== "" && cliForce !== "0") return true;
  return env.CLICOLOR !== "0" && stream.isTTY === true && env.TERM !== "dumb";
}
