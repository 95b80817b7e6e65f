import { notFoundError, usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import type { SubjectSearch } from "./search.js";
import type { TypedSubject } from "./typed.js";

/** The caller, by what is known of them, and how far to look. */
export const subjectFlags: readonly Flag[] = [
  {
    name: "phone",
    value: "number",
    repeatable: true,
    description: "A number of the caller's, in any spelling; found in every spelling",
  },
  { name: "email", value: "address", repeatable: true, description: "An e-mail address of the caller's" },
  {
    name: "name",
    value: "name",
    repeatable: true,
    description: "Name of the caller; a match by name only is marked as possible",
  },
  {
    name: "country",
    value: "code",
    description: "Country of numbers without one, in --phone and in texts: DE",
    ofProfile: "country",
  },
  {
    name: "details",
    description:
      "Also what was said and written: details, transcripts, analyses and notes of every call, knowledge items and prompts (a request for each), and how the organization is set up",
  },
];

/** @throws usage error (2) without any */
export function readSubject(input: Input): TypedSubject {
  const [phones, emails, names] = ["phone", "email", "name"].map((flag) => input.texts(flag));
  const typed = {
    phones: phones ?? [],
    emails: emails ?? [],
    names: names ?? [],
    country: input.text("country"),
  };
  if (typed.phones.length + typed.emails.length + typed.names.length === 0)
    throw usageError("the caller is missing: --phone +4915112345678, --email anna@example.org", {
      hint: "both may be given several times; --name finds hints besides",
    });
  return typed;
}

export const includeFlag: Flag = {
  name: "include",
  value: "id",
  repeatable: true,
  description: "ID of an uncertain match that belongs to the caller",
};

/** @throws not found (4) for an id that was not found: nothing is taken that nothing says is the caller's */
export function readIncluded(input: Input, { findings }: SubjectSearch): ReadonlySet<string> {
  const include = new Set(input.texts("include"));
  for (const id of include)
    if (!findings.resources.some((finding) => finding.id === id))
      throw notFoundError(
        `--include: ${id} is none of what was found; nothing was sent`,
        "to list the matches, run `voxctl subject find` with the same flags",
      );
  return include;
}
