import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** A cell, with its attributes and what is in it; generators may put a namespace's prefix before every name. */
const cellPattern = /<((?:\w+:)?)c((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/\1c>)/g;
const sheetPattern = /^xl\/worksheets\/[^/]+\.xml$/;

/**
 * The spreadsheet with every formula that has no result as a number that is none: the text of its error (`#REF!`), or,
 * where it was never calculated, the formula (`=A1&amp;B1`). The library that reads the file would take both for empty
 * cells. Without such cells, the bytes as they came.
 * @throws where it is no ZIP archive
 */
export function withFormulasShown(bytes: ArrayBuffer): ArrayBuffer {
  const whole = new Uint8Array(bytes);
  const mended: Record<string, Uint8Array> = {};
  for (const [name, content] of Object.entries(
    unzipSync(whole, { filter: ({ name }) => sheetPattern.test(name) }),
  )) {
    const xml = strFromU8(content);
    const shown = xml.replace(cellPattern, shownCell);
    if (shown !== xml) mended[name] = strToU8(shown);
  }
  if (Object.keys(mended).length === 0) return bytes;
  const parts = unzipSync(whole, { filter: ({ name }) => /\.xml(?:\.rels)?$/.test(name) });
  const packed = zipSync({ ...parts, ...mended }, { level: 0 });
  return new Uint8Array(packed).buffer;
}

function shownCell(cell: string, prefix: string, attributes: string, content = ""): string {
  const type = attributeOf(attributes, "t");
  const text = type === "e" ? resultOf(content) || "#ERROR!" : uncalculated(type, content);
  if (text === undefined) return cell;
  const place = attributeOf(attributes, "r");
  const at = place === undefined ? "" : ` r="${place}"`;
  return `<${prefix}c${at}><${prefix}v>${text}</${prefix}v></${prefix}c>`;
}

/** The formula of a cell that holds one without its result; an empty text is a result. */
function uncalculated(type: string | undefined, content: string): string | undefined {
  const formula = /<(?:\w+:)?f(?:\s[^>]*?)?(?:\/>|>([^<]*)<)/.exec(content);
  if (!formula) return undefined;
  const value = resultOf(content);
  const hasResult = type === "str" ? value !== undefined : value !== undefined && value !== "";
  return hasResult ? undefined : `=${formula[1] ?? ""}`;
}

/** The text of `<v>`, as XML; undefined without one. */
function resultOf(content: string): string | undefined {
  const value = /<(?:\w+:)?v(?:\s[^>]*?)?(?:\/>|>([^<]*)<)/.exec(content);
  return value ? (value[1] ?? "").trim() : undefined;
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\s${name}=["']([^"']*)["']`).exec(attributes)?.[1];
}
