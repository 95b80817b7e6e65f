import { errorColumn } from "../surplus.js";
import type { SourceRow } from "../types.js";
import { type CardLine, type CardText, cardsOf, propertiesOf } from "./cards.js";
import { loadValueReader, type Parts, typesOf, type Version } from "./values.js";

/**
 * Properties that describe the card and not the contact. voxctl adds X-VOXCTL-ERROR to cards in a rejects
 * file.
 */
const technical = new Set(["X-VOXCTL-ERROR", "VERSION", "PRODID", "REV", "X-ABLABEL", "CLASS"]);
/** Properties that contain an image, a sound or a key. Their values are not read. */
const binary = new Set(["PHOTO", "LOGO", "SOUND", "KEY"]);

export type IgnoredProperties = Map<string, number>;

/**
 * Yields one record per vCard: the fields of a contact, then the other properties. Skips cards that describe
 * groups. Also yields invalid vCards, each as a problem.
 * @param ignored cleared, then filled with the properties that belong to no field
 */
export async function* readVcards(
  text: AsyncIterable<string>,
  name: string,
  ignored: IgnoredProperties,
): AsyncGenerator<SourceRow, []> {
  const read = await loadValueReader();
  ignored.clear();
  let number = 0;
  let names: readonly string[] = [];
  for await (const card of cardsOf(text, name)) {
    const { line } = card;
    const raw = card.lines.join("\n");
    const record = card.problem === undefined ? readCard(card, read, ignored) : { problem: card.problem };
    if (record === undefined) continue;
    number += 1;
    if (record instanceof Map) {
      const keys = [...record.keys()];
      if (keys.length !== names.length || keys.some((key, index) => key !== names[index])) names = keys;
      yield { number, line, names, values: [...record.values()], raw };
    } else yield { number, line, names: [], values: [raw], raw, problem: record.problem };
  }
  return [];
}

type ValueReader = Awaited<ReturnType<typeof loadValueReader>>;
interface Property extends CardLine {
  parts: Parts;
}

/** Returns undefined for a group's card. */
function readCard(
  card: CardText,
  read: ValueReader,
  ignored: IgnoredProperties,
): Map<string, unknown> | { problem: string } | undefined {
  const lines = propertiesOf(card);
  const version = versionOf(lines);
  if (typeof version !== "string") return version;
  const properties: Property[] = [];
  for (const line of lines) {
    if ("problem" in line) return line;
    if (binary.has(line.name)) continue;
    const parts = readValue(line, version, read);
    if (parts === undefined)
      return { problem: `has a ${line.name} that can't be read: "${line.value.slice(0, 40)}"` };
    properties.push({ ...line, parts });
  }
  if (properties.some(isGroup)) {
    ignored.set("group cards", (ignored.get("group cards") ?? 0) + 1);
    return undefined;
  }
  for (const line of lines)
    if (!("problem" in line) && !isUsed(line.name)) ignored.set(line.name, (ignored.get(line.name) ?? 0) + 1);
  return toRecord(properties);
}

function versionOf(lines: ReturnType<typeof propertiesOf>): Version | { problem: string } {
  const versions = lines.flatMap((line) =>
    "name" in line && line.name === "VERSION" ? [line.value.trim()] : [],
  );
  const [version] = versions;
  if (version === "2.1" || version === "3.0" || version === "4.0") return version;
  return {
    problem:
      version === undefined
        ? "has no VERSION"
        : `is a vCard of version "${version}", expected 2.1, 3.0 or 4.0`,
  };
}

const named = new Set(["N", "FN", "TEL", "EMAIL", "UID"]);
/** Properties that fill contact fields, and are therefore not added to the record under their own names. */
const filled = new Set(["N", "TEL", "EMAIL", "UID"]);

function isUsed(name: string): boolean {
  return named.has(name) || technical.has(name);
}

/** Returns a malformed value as written, or undefined if it belongs to a contact field. */
function readValue(line: CardLine, version: Version, read: ValueReader): Parts | undefined {
  try {
    return read(line, version);
  } catch {
    return named.has(line.name) ? undefined : [[line.value]];
  }
}

/** Address books also export groups as cards. */
function isGroup({ name, parts }: Property): boolean {
  return /^(?:KIND|X-ADDRESSBOOKSERVER-KIND)$/.test(name) && joined(parts).toLowerCase() === "group";
}

function toRecord(properties: readonly Property[]): Map<string, unknown> {
  const all = (name: string) => properties.filter((property) => property.name === name);
  const [family, given] = all("N")[0]?.parts ?? [];
  const [givenName, familyName] = [spaced(given), spaced(family)];
  const formatted = ["FN", "ORG", "NICKNAME"]
    .map((name) => firstPart(all(name)[0]?.parts))
    .find((text) => text !== "");
  const record = new Map<string, unknown>([
    // The card of a company has no given name, but every vCard has a formatted name.
    ["first_name", givenName === "" ? (formatted ?? familyName) : givenName],
    ["last_name", givenName === "" ? "" : familyName],
    ["phone_numbers", all("TEL").map(({ parts }) => joined(parts))],
    ["phone_type", all("TEL").map((phone) => typeText(phone, properties))],
    ["emails", all("EMAIL").map(({ parts }) => joined(parts))],
    ["UID", joined(all("UID")[0]?.parts ?? [])],
  ]);
  for (const { name, parts } of properties) {
    if (name === "X-VOXCTL-ERROR") record.set(errorColumn, joined(parts));
    if ((technical.has(name) && name !== "PRODID") || filled.has(name)) continue;
    const [text, earlier] = [joined(parts), record.get(name)];
    record.set(
      name,
      earlier === undefined ? text : [...(Array.isArray(earlier) ? earlier : [earlier]), text],
    );
  }
  return record;
}

function typeText(phone: Property, properties: readonly Property[]): string {
  const labels = properties.filter(
    ({ name, group }) => name === "X-ABLABEL" && group !== "" && group === phone.group,
  );
  const types = typesOf(phone).map((type) => (type === "voice" ? "phone" : type));
  const text = [...types, ...labels.map(({ parts }) => joined(parts))].join(" ");
  // Apple address books write labels as `_$!<HomeFAX>!$_`.
  return text.replace(/[^\p{L}\p{M}\p{N} -]+/gu, " ").trim();
}

function spaced(texts: readonly string[] | undefined): string {
  return (texts ?? [])
    .map((text) => text.trim())
    .join(" ")
    .trim();
}

function firstPart(parts: Parts | undefined): string {
  return spaced(parts?.[0]);
}

function joined(parts: Parts): string {
  return parts
    .map((texts) => texts.join(","))
    .join(";")
    .replace(/;+$/, "")
    .trim();
}
