// A list's total or footer, which an office's program writes below it and which is no contact.
import type { SourceRow } from "../sources/types.js";

const words =
  "(?:gesamt|end|zwischen|teil)?summen?|(?:ins)?gesamt|gesamt(?:an)?zahl|anzahl|(?:grand |sub-?)?totals?|count|" +
  "(?:grand |sub-?)?sum|(?:sub-?)?totale?|(?:sub)?totaal|aantal|sous-total|somme|razem|toplam|[Σ∑]";
const counted =
  "(?:kunden|kontakte|personen|datens(?:ä|ae)tze|eintr(?:ä|ae)ge|zeilen|customers|contacts|people|records|entries|rows)";
/** `Summe`, `Anzahl Kunden:`, `Gesamt: 3`, `Gesamt: 3 Kunden`, `3 Kunden` */
const label = `(?:${words})(?: ${counted})?\\s*[:=]?\\s*(?:[\\d.,]+(?: ${counted})?)?|[\\d.,]+ ${counted}(?: (?:ins)?gesamt)?`;
const date = "\\d{1,4}[./-] ?\\d{1,2}[./-] ?\\d{2,4}";
const made =
  "(?:erstellt|erzeugt|exportiert|gedruckt|ausgedruckt|generiert|druckdatum|datum|stand|created|exported|generated|printed|as of|date)";
/** `Seite 1 von 3`, `Stand: 12.11.2026`, `Erstellt am 12.11.2026 von M. Meier`, `-- Ende --`, `Ende der Liste`, `-----` */
const footer =
  "(?:seite|page|pagina|strona)\\s*\\d+(?:\\s*(?:von|of|/|sur|van|di|de|z)\\s*\\d+)?" +
  `|${made}\\b\\s*:?\\s*(?:(?:am|on|at|vom|von|by|per)\\b[^\\d]*)?${date}\\b.*` +
  "|[-–—=_*#.~]{2,}(?:\\s*(?:ende|end|eof)\\b.*)?" +
  "|(?:ende|end) (?:der |des |of )(?:the )?(?:liste?|datei|file|berichte?s?|report|export\\w*|auswertung)";
/** `Stand:`, `Erstellt am`, where the date stands in a cell of its own. */
const dated = `${made}(?:\\s*:|\\s+(?:am|vom|on|at)\\s*:?)`;
const alone = new RegExp(`^(?:${label}|${footer})$`, "iu");
const besideOthers = new RegExp(`^(?:${label}|${footer}|${dated})$`, "iu");
/** `3 Kunden`, `Gesamt: 3`, `Summe 3 Kunden` */
const countedWhole = new RegExp(
  `^(?:(?:${words})(?: ${counted})?\\s*[:=]?\\s*[\\d.,]+(?: ${counted})?|[\\d.,]+ ${counted}(?: (?:ins)?gesamt)?)$`,
  "iu",
);
/** What stands beside an amount. */
const unit = /\b(?:EUR|CHF|USD|GBP|PLN|Stk|Stück)\b\.?/giu;
/** Fewer digits are no number that is dialled from outside. */
const phoneDigits = 5;

/**
 * Is it a total or a footer: words for one in the first cell with anything in it, and nothing but amounts beside it?
 * What may be a person's is none: letters, an address, a number that may be dialled.
 * @param phoneColumns positions of the columns with phone numbers
 */
export function totalIn(row: SourceRow, phoneColumns: readonly number[]): string | undefined {
  const { values, names, problem, unreadable } = row;
  const firstAt = values.findIndex((value) => textOf(value) !== "");
  const first = textOf(values[firstAt]);
  // Most rows.
  if (!besideOthers.test(first)) return undefined;
  const isCut = values.length < names.length;
  // A record that is cut begins with what a longer one would; nobody is called "3 Kunden".
  const isCounted = values.some((value) => countedWhole.test(textOf(value)));
  if (problem !== undefined && !(isCut && isCounted)) return undefined;
  const others = values.flatMap((value, index) => {
    const text = index > firstAt ? textOf(value) : "";
    return text === "" ? [] : [{ text, index }];
  });
  if (others.length === 0 && !alone.test(first)) return undefined;
  if (others.length === 0 && isCut && !isCounted) return undefined;
  const areAmounts = others.every(
    ({ text, index }) => unreadable?.has(index) || isAmount(text, phoneColumns.includes(index)),
  );
  return areAmounts ? first : undefined;
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value).trim();
}

function isAmount(text: string, isPhone: boolean): boolean {
  if (countedWhole.test(text)) return true;
  const bare = text.replace(unit, "");
  if (/\p{L}/u.test(bare) || !/\d/.test(bare)) return !/[\p{L}\p{N}@]/u.test(bare);
  const digits = bare.replace(/\D/g, "").length;
  if (isPhone) return digits < phoneDigits;
  const isDialled = /^\s*[+(0]/.test(bare) && !/^0[.,]|^\d\d?([./])\d\d?\1\d+$/.test(bare);
  return !(isDialled && digits > phoneDigits);
}
