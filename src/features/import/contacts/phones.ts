import { isE164 } from "../../../contract/primitives.js";
import { createCountryReader } from "./countries.js";
import { phrases } from "./earlier-error.js";
import { isPhoneLabel } from "./headers.js";
import { findInvalidPhoneReason, findNonPhoneReason } from "./non-phone-reasons.js";
import { loadNumbering, type NumberingPlan } from "./numbering.js";
import type { ColumnWriting, PhoneContext } from "./phone-context.js";
import {
  entriesOf,
  isExtension,
  isOtherDevice,
  type LabeledText,
  labelOf,
  removeOtherDevice,
  splitLabels,
} from "./phone-labels.js";
import { isSeveral, isWhole, splitNumbers, wholeDigits } from "./phone-lists.js";
import { asPhoneText, cleanCell, digitsOf, isLink, isWithoutWords } from "./phone-text.js";

type PhonesResult = ReadPhones | { value: string; reason: string };

type ReadPhones = { numbers: string[] } & Partial<{
  droppedText: string;
  withoutZero: NumberTaken;
  ambiguous: NumberTaken;
  otherDevice: string;
}>;

/** A number to which voxctl added a country code, as written and as imported. */
export interface NumberTaken {
  written: string;
  taken: string;
  /** The other valid number that the digits could mean. */
  instead?: string;
}

export interface PhoneReaderOptions {
  /** ISO 3166 code, such as `DE`, of the country assumed for numbers without a calling code. */
  country?: string | undefined;
  /**
   * Whether to accept a number without a plus if it is valid with one. Undefined for commands that don't have
   * the flag --trust-calling-code: they reject such numbers, and their errors don't suggest the flag.
   */
  trustsCallingCode?: boolean | undefined;
  /**
   * Accepted numbers without a country code: valid numbers, or all numbers with a possible length. Undefined
   * means that the user typed the number: invalid numbers are then also accepted.
   */
  accepts?: AcceptedNumbers | undefined;
}

export type AcceptedNumbers = "valid" | "possible";

export interface PhoneReader {
  /** For each flag, the count of invalid phone numbers so far that the flag would make valid. */
  readonly remedied: Readonly<Record<Remedy, number>>;
  /**
   * Returns the numbering plan of the country or calling code in a cell; null if the cell is empty, undefined if the
   * country is unknown.
   */
  countryOf(cell: string): NumberingPlan | null | undefined;
  read(cell: string, context?: PhoneContext): PhonesResult;
  /** Records in `writing` which prefixes are missing from the numbers in a cell. */
  observe(cell: string, writing: ColumnWriting, plan?: NumberingPlan): void;
  /** Returns all numbers that a cell might contain, even if the cell is invalid. */
  candidates(cell: string, plan?: NumberingPlan): string[];
}

/** The flag that would make a number valid: --country for `country`, otherwise --trust-calling-code. */
type Remedy = "country" | "ownCode" | "foreignCode";

type NumberResult =
  | { number: string; lacksZero?: boolean; instead?: string }
  | { value: string; reason: string; remedy?: Remedy };

/** Creates a reader for phone numbers in common notations. @throws BulkError for an unknown country */
export async function createPhoneReader({
  country,
  trustsCallingCode,
  accepts,
}: PhoneReaderOptions = {}): Promise<PhoneReader> {
  const numbering = await loadNumbering();
  const { isValid, isPossible } = numbering;
  const home = country === undefined ? undefined : numbering.planOf(country);
  const flagHint = trustsCallingCode === undefined ? "" : ", or use --trust-calling-code";

  const isAccepted = (number: string) =>
    accepts === undefined || isValid(number) || (accepts === "possible" && isPossible(number));

  const readingsOf = (text: string, bare: string, plan: NumberingPlan) => {
    const national = plan.complete(bare);
    const abroad = `+${bare}`;
    // Digits in brackets are an area code, as in `(475) 234-5678`, unless they are a calling code.
    const [, bracketed] = /^\s*\(\s*(\d+)\s*\)/.exec(text) ?? [];
    const hasCode = bracketed === undefined || numbering.planOfCode(bracketed) !== undefined;
    const isAbroad = hasCode && national !== abroad && isValid(abroad);
    return { national, abroad, isNational: isValid(national), isAbroad };
  };

  const readCompleted = (written: string, bare: string, plan: NumberingPlan): NumberResult => {
    const number = plan.complete(bare);
    const bad = (reason: string) => ({ value: written, reason });
    if (isTooLong(number)) return bad(tooLongReason);
    if (accepts !== undefined && !isValid(number) && isShort(bare, plan)) return bad(shortReason);
    if (!isAccepted(number)) {
      const flag =
        accepts === "valid" && isPossible(number)
          ? ": check the digits; to import such numbers, use --accept-numbers possible"
          : "";
      return bad(`${plan.explainInvalid(number)}${flag}`);
    }
    return { number, lacksZero: plan.trunkPrefix === "0" && !bare.startsWith("0") };
  };

  /**
   * Reads digits that lack a plus or leading zero, for example because a spreadsheet removed the prefix.
   * Rejects doubtful numbers, because calls could reach the wrong person.
   */
  const readWithoutPrefix = (
    written: string,
    bare: string,
    plan: NumberingPlan | undefined,
    column: ColumnWriting,
  ): NumberResult => {
    if (plan === undefined) {
      if (trustsCallingCode === true && isValid(`+${bare}`)) return { number: `+${bare}` };
      const reason = "has no country code; to assume a country, use --country";
      return { value: written, reason, remedy: "country" };
    }
    const remedy: Remedy = bare.startsWith(plan.callingCode) ? "ownCode" : "foreignCode";
    const lost = (reason: string) => ({ value: written, reason, remedy });
    if (hasOwnCode(bare, plan)) {
      // A national number would start with 0, so these digits are valid only with a plus.
      const begins = `begins with ${plan.callingCode} instead of +${plan.callingCode} or 0`;
      if (!isValid(`+${bare}`))
        return {
          value: written,
          reason: `${begins}, and +${bare} is not a valid number: write the number with + or 0`,
        };
      if (trustsCallingCode === true) return { number: `+${bare}` };
      return lost(
        `${begins}: write +${bare}, or 0${bare} if the area code starts with ${plan.callingCode}${flagHint}`,
      );
    }
    if (accepts === undefined) return readCompleted(written, bare, plan);
    const { national, abroad, isNational, isAbroad } = readingsOf(written, bare, plan);
    if (!isAbroad) return readCompleted(written, bare, plan);
    if (!isNational) {
      if (trustsCallingCode === true) return { number: abroad };
      return lost(`is only valid as ${abroad}: write the number with a plus${flagHint}`);
    }
    const both = `could be ${national} or ${abroad}`;
    if (trustsCallingCode === true) {
      if (column.lacksForeignPlus || !column.lacksZero) return { number: abroad, instead: national };
      return {
        value: written,
        reason: `${both}, ${phrases.lackingZero}: write the number with + or 0`,
      };
    }
    if (column.lacksPlus)
      return lost(`${both}, ${phrases.lackingPlus}: write the number with + or 0${flagHint}`);
    const completed = readCompleted(written, bare, plan);
    return "number" in completed ? { ...completed, instead: abroad } : completed;
  };

  const readNumber = (
    written: string,
    { plan = home, column = nothingKnown, unknownCountry }: PhoneContext,
  ): NumberResult => {
    const bad = (reason: string) => ({ value: written, reason });
    const text = asPhoneText(written);
    const nonPhoneReason = findNonPhoneReason(text);
    if (nonPhoneReason !== undefined) return bad(nonPhoneReason);
    const bare = digitsOf(text);
    // Digits that are all zeros are a placeholder, not a number.
    if (!/^\+?0*[1-9]\d*$/.test(bare)) return bad(notANumber);
    if (isSeveral(text)) return bad(severalReason);
    const abroad = /^(?:\+|00)/.exec(bare)?.[0];
    let result: NumberResult;
    if (abroad === undefined && unknownCountry !== undefined) return bad(unknownCountry);
    if (abroad === undefined)
      result =
        bare.startsWith("0") && plan !== undefined
          ? readCompleted(written, bare, plan)
          : readWithoutPrefix(written, bare, plan, column);
    else if (/^000/.test(bare)) return bad("begins with too many zeros");
    else {
      const number =
        abroad === "+" || plan === undefined ? `+${bare.slice(abroad.length)}` : plan.completeAbroad(bare);
      // Italian numbers keep a zero in brackets.
      const withZero = `+${text.replace(/\D/g, "").replace(/^00/, "")}`;
      const needsZero = number !== withZero && !isValid(number) && isValid(withZero);
      result = { number: numbering.withoutTrunkPrefix(needsZero ? withZero : number) };
    }
    const invalidPhoneReason = findInvalidPhoneReason(text);
    if (invalidPhoneReason !== undefined && ("reason" in result || !isValid(result.number)))
      return bad(invalidPhoneReason);
    if ("reason" in result) return result;
    // Accept a typed number in the API's format even if it is too long to be dialed, up to 20 digits
    // (public.general.8).
    const isTyped = accepts === undefined && isE164(text);
    if (!isTyped && isTooLong(result.number)) return bad(tooLongReason);
    if (!isE164(result.number)) return bad("is not a valid phone number: expected + and 6 to 20 digits");
    return result;
  };

  /** Returns whether a part of a cell is a complete number. Only then can the next part be another number. */
  const isNumber = (part: string, plan: NumberingPlan | undefined): boolean => {
    if (mayContinue(part, plan)) return false;
    const bare = digitsOf(asPhoneText(part));
    const isAbroad = /^(?:\+|00)/.test(bare);
    // Check the length first, because calling the library takes longer than all other work for a row.
    if (!isAbroad && plan?.trunkPrefix === "0" && bare.length < wholeDigits.national) return false;
    const result = readNumber(part, { plan });
    if (!("number" in result)) return false;
    return isAbroad ? isPossible(result.number) : isValid(result.number);
  };

  function* partsOf(text: string, plan: NumberingPlan | undefined): Generator<LabeledText, void> {
    if (isSingle(text, plan)) return yield { text, before: [], behind: [] };
    for (const written of entriesOf(text)) {
      const entry = asPhoneText(written);
      const isWhole = isWithoutWords(entry) || findNonPhoneReason(entry) !== undefined;
      const labeled: LabeledText[] = isWhole
        ? [{ text: written, before: [], behind: [] }]
        : splitLabels(entry);
      for (const { text: numbers, before, behind, remark, isContinued = false } of labeled) {
        const parts = splitNumbers(numbers, (part) => isNumber(part, plan));
        const last = parts.length - 1;
        for (const [index, part] of parts.entries()) {
          const more = index < last ? { behind: [] } : { behind, remark };
          yield { text: part, before, isContinued: isContinued && index === 0, ...more };
        }
      }
    }
  }

  const remedied: Record<Remedy, number> = { country: 0, ownCode: 0, foreignCode: 0 };
  return {
    remedied,
    countryOf: createCountryReader(numbering),
    read: (cell, context = {}) => {
      if (/^\{.*\}$/s.test(cell)) return { value: cell, reason: "is a JSON object, not a phone number" };
      const text = cleanCell(cell);
      const read: ReadPhones = { numbers: [] };
      const parts = [...partsOf(text, context.plan ?? home)];
      const otherDevice = parts.find((part) => isOtherDevice(labelOf(part)));
      if (otherDevice !== undefined) read.otherDevice = `${otherDevice.text} (${labelOf(otherDevice)})`;
      const numbers = parts.filter((part) => !isOtherDevice(labelOf(part)));
      // A letter within a number (`0911 12O4567`) splits the number, so check all labels first.
      const reason =
        numbers.map(reasonOf).find((text) => text !== undefined) ??
        (numbers.some(({ text, isContinued }) => isContinued && mayContinue(text, context.plan ?? home))
          ? interruptedReason
          : undefined);
      for (const { text: written, remark } of numbers) {
        const result = reason === undefined ? readNumber(written, context) : { value: text, reason };
        if ("reason" in result) {
          const { value, reason: why, remedy } = { remedy: undefined, ...result };
          if (remedy !== undefined) remedied[remedy] += 1;
          const isOfLink = why === notANumber && isLink(cell);
          if (isOfLink) return { value: cell.trim(), reason: notANumberLink };
          const isPart = numbers.length > 1 && reason === undefined && why !== context.unknownCountry;
          return isPart
            ? { value: text, reason: `contains "${value}", which ${why}` }
            : { value, reason: why };
        }
        const { number: taken, instead, lacksZero } = result;
        read.numbers.push(taken);
        if (remark !== undefined) read.droppedText ??= remark;
        if (instead !== undefined) read.ambiguous ??= { written, taken, instead };
        else if (lacksZero) read.withoutZero ??= { written, taken };
      }
      return read;
    },
    observe(cell, writing, plan = home) {
      const text = cleanCell(cell);
      if (plan === undefined || (writing.lacksForeignPlus && writing.lacksZero)) return;
      // Most cells take this fast path: a single number with a plus or zero.
      if (/^[(\s]*[+0]/.test(text) && (!/[;,|/\n]|:::/.test(text) || isSingle(text, plan))) return;
      for (const { text: written } of partsOf(text, plan)) {
        const bare = digitsOf(asPhoneText(written));
        if (!/^[1-9]\d+$/.test(bare) || findNonPhoneReason(asPhoneText(written)) !== undefined) continue;
        if (hasOwnCode(bare, plan)) {
          if (isValid(`+${bare}`)) writing.lacksPlus = true;
          continue;
        }
        const { isNational, isAbroad, national } = readingsOf(written, bare, plan);
        if (isAbroad && !isNational) writing.lacksForeignPlus = writing.lacksPlus = true;
        if (!isAbroad && isNational && isValid(national)) writing.lacksZero ||= plan.trunkPrefix === "0";
      }
    },
    candidates: (cell, plan = home) => {
      const numbers = new Set<string>();
      const add = (number: string) => {
        if (isE164(number)) numbers.add(number);
      };
      for (const part of [cell, ...cell.split(/:::|[;,/|\n]/)].map(cleanCell)) {
        for (const { text } of isWithoutWords(part) ? [{ text: part }] : splitLabels(part)) {
          const bare = digitsOf(asPhoneText(text));
          if (!/^\+?\d+$/.test(bare)) continue;
          if (bare.startsWith("+")) add(numbering.withoutTrunkPrefix(bare));
          else if (bare.startsWith("00")) add(numbering.withoutTrunkPrefix(`+${bare.slice(2)}`));
          else {
            if (!bare.startsWith("0")) add(`+${bare}`);
            if (plan !== undefined) add(plan.complete(bare));
          }
        }
      }
      return [...numbers];
    },
  };
}

const notANumber = "is not a valid phone number";
const notANumberLink = "is a tel: link without a valid phone number";

const nothingKnown: ColumnWriting = { lacksPlus: false, lacksForeignPlus: false, lacksZero: false };

/**
 * Returns whether digits start with the calling code, either because the plus is missing or because the area
 * code has the same digits.
 */
function hasOwnCode(bare: string, { trunkPrefix, callingCode }: NumberingPlan): boolean {
  return trunkPrefix === "0" && bare.startsWith(callingCode) && bare.length > callingCode.length + 6;
}

/** Matches one number, and a number with a slash after an area code that is too short to be a number. */
const single = { plain: /^[\d+][\d .()-]*$/, withAreaCode: /^0[1-9]\d{0,5} ?\/[\d .()-]+$/ };

/** Returns whether a cell certainly contains only one number. Most cells do. */
function isSingle(text: string, plan: NumberingPlan | undefined): boolean {
  return single.plain.test(text) || (plan?.trunkPrefix === "0" && single.withAreaCode.test(text));
}

/** Returns whether digits without a leading zero could be the end of the number before them. */
function mayContinue(part: string, plan: NumberingPlan | undefined): boolean {
  return !/^[+0]/.test(digitsOf(asPhoneText(part))) && (plan === undefined || plan.trunkPrefix === "0");
}

/** Maximum number of digits in a short number. `significant` applies to the digits after a trunk prefix. */
const shortDigits = { withoutAreaCode: 6, significant: 3 };
const shortReason = "is a short or emergency number, or an extension";

function isShort(bare: string, { trunkPrefix }: NumberingPlan): boolean {
  const hasTrunk = trunkPrefix !== "" && bare.startsWith(trunkPrefix);
  const significant = hasTrunk ? bare.slice(trunkPrefix.length) : bare;
  return significant.length <= (hasTrunk ? shortDigits.significant : shortDigits.withoutAreaCode);
}

function reasonOf({ text, before, behind, remark }: LabeledText): string | undefined {
  if (text === "") return notANumber;
  const isPartial = behind.some(isExtension) || /#\s*\d{1,6}$/.test(text);
  if (isPartial || (before.some(isExtension) && !isWhole(text)))
    return "has an extension (such as `x` or `ext.`), which contacts don't support: remove it";
  const isKnown = (label: string) =>
    label === remark || isExtension(label) || isPhoneLabel(removeOtherDevice(label));
  return [...before, ...behind].every(isKnown) ? undefined : notANumber;
}

/** Maximum number of digits, including the country code (E.164). */
const mostDialled = 15;
const inFull = 'write each number in full in one quoted cell, such as "+49 89 1234560;+49 89 1234561"';
const severalReason = `looks like several numbers: ${inFull}`;
const interruptedReason = `has text between its digits: remove the text, or if these are several numbers, ${inFull}`;
const tooLongReason = `is too long for a phone number: at most ${mostDialled} digits, including the country code, are allowed`;

/** Returns whether a number is too long to be dialed. Its cell probably contains two numbers. */
function isTooLong(number: string): boolean {
  return number.length > mostDialled + "+".length;
}
