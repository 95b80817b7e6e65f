import { isFields } from "../../../base/fields.js";
import type { Offer } from "../../derive/ask.js";
import type { Session } from "../../session/session.js";

/** Enough assistants to find the languages that an organization uses. */
const mostRead = 50;

/** ISO 639-1. The service doesn't document its languages, so users can also type other codes. */
const codes = ["de", "en", "fr", "it", "es", "pt", "nl", "pl", "cs", "da", "sv", "tr", "uk", "ar"] as const;

/** Lists the organization's languages first, then the machine's language, then other languages. */
export async function listLanguageOffers(session: Session): Promise<Offer[]> {
  const { client } = await session.connect();
  const used = new Map<string, number>();
  try {
    const pages = { signal: session.signal, limit: mostRead };
    for await (const row of client.items("assistants.list", {}, pages)) {
      const language = isFields(row) ? row["language"] : undefined;
      if (typeof language === "string") used.set(language, (used.get(language) ?? 0) + 1);
    }
  } catch {
    // If the assistants can't be read, offer only the other languages.
    session.signal.throwIfAborted();
  }
  const own = [...used].sort(([, left], [, right]) => right - left).map(([code]) => code);
  const { LC_ALL, LC_MESSAGES, LANG } = session.io.env;
  const system = /^([a-z]{2})[_.]/.exec(LC_ALL || LC_MESSAGES || LANG || "")?.[1];
  const ordered = new Set([...own, ...(system === undefined ? [] : [system]), ...codes]);
  return [...ordered].map((value) => ({ value, description: describeLanguage(value, used.get(value)) }));
}

/** Converts a language name (English, German or native) or an uppercase code. Other text stays unchanged. */
export function toLanguageCode(typed: string): string {
  const normalized = typed.trim().toLowerCase();
  const names = (code: string) =>
    ["en", "de", code].map((locale) =>
      new Intl.DisplayNames([locale], { type: "language" }).of(code)?.toLowerCase(),
    );
  return codes.find((code) => code === normalized || names(code).includes(normalized)) ?? typed;
}

function describeLanguage(code: string, assistants: number | undefined): string {
  let names: (string | undefined)[] = [];
  try {
    names = ["en", code].map((locale) => new Intl.DisplayNames([locale], { type: "language" }).of(code));
  } catch {
    // The code has no known name, because services can use non-standard codes.
  }
  const known = [...new Set(names)].filter((name) => name !== undefined && name !== code).join(", ");
  return assistants === undefined ? known : `${known}${known === "" ? "" : ", "}used in your organization`;
}
