import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";

/** The caller, by what is known of them, and how far to look. */
export const subjectFlags: readonly Flag[] = [
  {
    name: "phone",
    value: "number",
    repeatable: true,
    description: "a number of the caller's, in any spelling; found in every spelling",
  },
  { name: "email", value: "address", repeatable: true, description: "an e-mail address of the caller's" },
  {
    name: "name",
    value: "name",
    repeatable: true,
    description: "a name of the caller's: what has only the name is a hint, since others may have it, too",
  },
  {
    name: "country",
    value: "code",
    description: "country of numbers without one, in --phone and in texts: DE",
    ofProfile: "country",
  },
  {
    name: "texts",
    description:
      "also what was said and written: details, transcripts, analyses and notes of every call, knowledge items and prompts (a request for each)",
  },
];

/** What a person typed of the caller. */
export interface TypedSubject {
  phones: string[];
  emails: string[];
  names: string[];
  country: string | undefined;
}

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
