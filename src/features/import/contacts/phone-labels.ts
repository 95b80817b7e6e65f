import { isPhoneType, isPhoneWord, plainHeader } from "./headers.js";
import { asPhoneText, digitsOf } from "./phone-text.js";

export interface LabeledText {
  text: string;
  before: readonly string[];
  behind: readonly string[];
  remark?: string | undefined;
  /** Whether the text, if it starts with neither + nor 0, could be the end of the previous number. */
  isContinued?: boolean;
}

export function labelOf({ before, behind }: LabeledText): string {
  return [...before, ...behind].join(" ");
}

const otherDevicePattern = /(?:tele)?fax|faksimile|fernkopierer|pager|pieper|beeper|telex|fernschreiber/gi;

/** In `Tel./Fax`, the remaining word describes a telephone. */
export function removeOtherDevice(label: string): string {
  return label.replace(otherDevicePattern, " ");
}

export function isOtherDevice(label: string): boolean {
  const words = removeOtherDevice(label);
  if (words === label) return false;
  return !words.split(/[^\p{L}\p{M}]+/u).some((word) => word !== "" && isPhoneWord(plainHeader(word)));
}

const extension =
  /^(?:ext(?:n|ension)?|x|dw|durchwahl|app(?:arat)?|nst|nebenstelle|nebenstellennummer|klappe|kl|anexo|poste|interno?)$/;

export function isExtension(label: string): boolean {
  return extension.test(plainHeader(label));
}

/** Separators between the entries of a cell; they never appear within a number. */
const entrySeparator = /:::|[;|]/;

export function entriesOf(cell: string): string[] {
  return cell
    .split(entrySeparator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/**
 * Matches a label: text in brackets, or text from a letter to the last letter before a digit or separator.
 */
const labelPattern =
  /\(([^()]*\p{L}[^()]*)\)|\[([^[\]]*\p{L}[^[\]]*)\]|\p{L}(?:[^\d,;|\n()[\]]*[\p{L}\p{M}])?/gu;

interface Label {
  text: string;
  isBracketed: boolean;
}

export function splitLabels(entry: string): LabeledText[] {
  const labels: Label[] = [];
  const texts: string[] = [];
  let at = 0;
  for (const match of entry.matchAll(labelPattern)) {
    const between = entry.slice(at, match.index);
    const text = (match[1] ?? match[2] ?? match[0]).trim();
    const label = { text, isBracketed: match[1] !== undefined || match[2] !== undefined };
    const previous = labels.at(-1);
    // `Tel. (privat)` is one label.
    if (previous !== undefined && !/[\d,\n]/.test(between)) previous.text += ` ${text}`;
    else {
      texts.push(between);
      labels.push(label);
    }
    at = match.index + match[0].length;
  }
  texts.push(entry.slice(at));
  return attachLabels(texts, labels);
}

/** @param texts the strings before, between and after the labels */
function attachLabels(texts: readonly string[], labels: readonly Label[]): LabeledText[] {
  const parts = texts.map((text, index) => ({
    text: trimPart(text),
    isContinued: isContinued(texts, labels, index),
    before: [] as Label[],
    behind: [] as Label[],
  }));
  for (const [index, label] of labels.entries()) {
    const [previous, next] = [parts[index], parts[index + 1]];
    if (previous === undefined || next === undefined) continue;
    if (isBehind(label, texts, index)) previous.behind.push(label);
    else next.before.push(label);
  }
  return parts
    .filter(({ text, before, behind }) => text !== "" || before.length + behind.length > 0)
    .map(({ text, isContinued, before, behind }) => ({
      text,
      isContinued,
      before: before.map((label) => label.text),
      behind: behind.map((label) => label.text),
      remark: behind.find(({ isBracketed }) => isBracketed)?.text,
    }));
}

function isContinued(texts: readonly string[], labels: readonly Label[], index: number): boolean {
  const [before = "", after = "", label] = [texts[index - 1], texts[index], labels[index - 1]];
  const bare = digitsOf(asPhoneText(trimPart(before)));
  if (label === undefined || bare === "") return false;
  // After a number with a prefix, the next number probably lacks its area code. With only a country code, it
  // would reach the wrong person.
  if (/^[+0]/.test(bare)) return true;
  if (isSeparated(before, after) || isOtherDevice(label.text)) return false;
  return !isPhoneType(removeOtherDevice(label.text));
}

/** Returns whether a label between two texts has a separator next to it. */
function isSeparated(before: string, after: string): boolean {
  return /[,/\n]\s*$/.test(before) || /^[\s.:]*[,/\n]/.test(after);
}

/** Returns whether a label belongs to the number before it, not to the number after it. */
function isBehind({ isBracketed, text }: Label, texts: readonly string[], index: number): boolean {
  const [before = "", after = ""] = [texts[index], texts[index + 1]];
  const hasDigits = (part: string | undefined) => part !== undefined && /\p{Nd}/u.test(part);
  if (!hasDigits(before)) return false;
  if (!hasDigits(after) || isBracketed || isExtension(text)) return true;
  if (/^\s*[.]?\s*:/.test(after) || /[,/\n]\s*$|\s-\s*$/.test(before)) return false;
  if (/^[.]?\s*[,/\n]/.test(after)) return true;
  return hasDigits(texts[0]) && !hasDigits(texts.at(-1));
}

function trimPart(text: string): string {
  return text.replace(/^[\s.:,/=>–—-]+|[\s,/:=<–—-]+$/g, "");
}
