import type { Io } from "../../base/io.js";

/** Colours, or the text as it is where colour is off. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/**
 * Taken from the eight base colours, which every theme maps to something readable on its own background, light or
 * dark; none of the bright ones, no white or black, no background. A colour never says what a word does not.
 */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

function painter(on: boolean, [open, close]: readonly [number, number]): (text: string) => string {
  return on ? (text) => `\u001b[${open}m${text}\u001b[${close}m` : (text) => text;
}

/** Colours where `on`, else the text as it is. */
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

/** `--no-color`, NO_COLOR, FORCE_COLOR, then whether it is a terminal decide. */
export function wantsColor(io: Io, stream: { isTTY?: boolean }, flag: boolean): boolean {
  if (!flag || io.env.NO_COLOR) return false;
  const force = io.env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return stream.isTTY === true && io.env.TERM !== "dumb";
}
