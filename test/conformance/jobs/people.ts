import assert from "node:assert/strict";
import { type Bench, parseOutput, type Ran } from "../harness/bench.js";
import { fieldsOf, type Row } from "../server/service-state.js";
import { normalize } from "../server/values.js";

/** A contact of the file, with white space, accents and letters that a service may normalize. */
export interface Person {
  first_name: string;
  last_name: string;
  phones: readonly string[];
  emails: readonly string[];
}

const person = (first_name: string, last_name: string, phones: string, emails: string): Person => ({
  first_name,
  last_name,
  phones: phones === "" ? [] : phones.split(" "),
  emails: emails === "" ? [] : emails.split(" "),
});

/** Contacts of the file. Each contact differs from all others in a phone number, an email or a name. */
export const people: readonly Person[] = [
  person("Anna", "Sommer", "+4930100001", "anna@example.org"),
  person("Hans  Peter", "von  der  Au", "+4930100002", ""),
  person("Zoe\u0308", "Mu\u0308ller", "+4930100003 +4930100103 +4930100053", ""),
  person("mcDonald", "O'Neill", "", "First.Last@Example.ORG"),
  person("Ida", "", "+4930100005", "zz@example.org aa@example.org"),
  person("Ёжик", "Туманов", "+4930100006", ""),
  person("Karl", "Groß", "+4930100007", "karl@example.org"),
  person("Lea", "d'Arc ", "+4930100008", ""),
  person("Max", "Sommer", "+4930100009", ""),
  person("Nobody", "Else", "", ""),
  person("Otto", "Ring", "+4930100011 +4930100010", "otto@example.org"),
  person("Pia", "Stern", "+4930100012", ""),
];

export function csvOf(list: readonly Person[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = list.map(({ first_name, last_name, phones, emails }) =>
    [first_name, last_name, phones.join(" / "), emails.join("; ")].map(cell).join(","),
  );
  return ["first_name,last_name,phone,email", ...lines, ""].join("\n");
}

/** Returns the resources of a group, including those of other users. */
export function listInGroup({ service }: Bench, resource: string, group: string): Row[] {
  const groups = service.state
    .rows("groups")
    .filter((row) => normalize(fieldsOf(row)["name"]) === normalize(group));
  const ids = groups.map(({ id }) => id);
  return service.state.rows(resource).filter((row) => ids.includes(String(fieldsOf(row)["group_id"])));
}

/**
 * Returns whether a contact matches this person after the service's normalization. A field that was not sent
 * can have any value.
 */
export function isContactOf(row: Row, { first_name, last_name, phones, emails }: Person): boolean {
  const fields = fieldsOf(row);
  const same = (name: string, value: string) => normalize(fields[name]) === normalize(value);
  const sameList = (name: string, values: readonly string[]) => {
    const stored: unknown = fields[name];
    return normalize(Array.isArray(stored) ? stored : []) === normalize(values);
  };
  return (
    same("first_name", first_name) &&
    (last_name === "" || same("last_name", last_name)) &&
    sameList("phone_numbers", phones) &&
    sameList("emails", emails)
  );
}

/** Returns the number of writes that the service has not refused so far. */
export function writes({ service }: Bench): number {
  return service.log.filter(({ method, status = 0 }) => method !== "GET" && status < 400).length;
}

/**
 * Checks that no contact is duplicated, and that no contact is missing except those with unconfirmed writes.
 * @returns the summary
 */
export function assertImported(
  bench: Bench,
  ran: Ran,
  group: string,
  list: readonly Person[] = people,
): Record<"created" | "updated" | "unchanged" | "unknown", number> {
  const { code, stderr } = ran;
  assert.ok(code === 0 || (code === 75 && bench.lossy), `exit ${code}: ${stderr}`);
  const summary = parseOutput(ran);
  const rows = listInGroup(bench, "contacts", group);
  let existingCount = 0;
  for (const person of list) {
    const matches = rows.filter((row) => isContactOf(row, person));
    const own = matches.filter(({ author }) => author === "client");
    const name = `${person.first_name} ${person.last_name}`;
    assert.ok(own.length <= 1, `${name} was created ${own.length} times`);
    if (matches.length > 0) existingCount += 1;
  }
  const own = rows.filter(({ author }) => author === "client");
  const unexpected = own.filter((row) => !list.some((person) => isContactOf(row, person)));
  assert.deepEqual(unexpected.map(fieldsOf), [], "contacts without a row");
  const { created, updated, unchanged, unknown, failed, invalid, duplicates } = summary;
  assert.deepEqual({ failed, invalid, duplicates }, { failed: 0, invalid: 0, duplicates: 0 }, stderr);
  assert.equal(created + updated + unchanged + unknown, list.length, "the summary counts every row");
  assert.equal(unknown > 0, code === 75, "75 means that something is unknown");
  assert.ok(
    existingCount >= list.length - unknown,
    `${existingCount} of ${list.length} exist, ${unknown} unconfirmed`,
  );
  return summary;
}
