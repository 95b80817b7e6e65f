import { notFoundError, usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { TypedSubject } from "../identifiers.js";
import type { SubjectSearch } from "./search.js";

export const subjectFlags: readonly Flag[] = [
  {
    name: "phone",
    value: "number",
    repeatable: true,
    description: "Caller's phone number, in any spelling",
  },
  { name: "email", value: "address", repeatable: true, description: "Caller's email address" },
  {
    name: "name",
    value: "name",
    repeatable: true,
    description: "Caller's name; a match by name alone is a hint",
  },
  {
    name: "country",
    value: "code",
    description: "Country, such as DE, assumed for numbers without a country code",
    ofProfile: "country",
  },
  {
    name: "details",
    description: "Also search call details, knowledge items and prompts (one request per item)",
  },
];

/** @throws usage error (2) without a phone number, an email address or a name */
export function readSubject(input: Input): TypedSubject {
  const [phones, emails, names] = ["phone", "email", "name"].map((flag) => input.texts(flag));
  const typed = {
    phones: phones ?? [],
    emails: emails ?? [],
    names: names ?? [],
    country: input.text("country"),
  };
  if (typed.phones.length + typed.emails.length + typed.names.length === 0)
    throw usageError("missing caller: use --phone, --email or --name", {
      hint: "use a flag such as --phone +4915112345678 or --email anna@example.org",
    });
  return typed;
}

export const includeFlag: Flag = {
  name: "include",
  value: "id",
  repeatable: true,
  description: "ID of an uncertain match to treat as the caller's",
};

/** @throws not found (4) for an ID that is not one of the matches */
export function readIncluded(input: Input, { findings }: SubjectSearch): ReadonlySet<string> {
  const include = new Set(input.texts("include"));
  for (const id of include)
    if (!findings.resources.some((finding) => finding.id === id))
      throw notFoundError(
        `--include: ${id} is not one of the matches`,
        "to list the matches, run `voxctl subject find` with the same flags",
      );
  return include;
}
