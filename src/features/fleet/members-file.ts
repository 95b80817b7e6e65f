import * as z from "zod";
import { InputError } from "../../base/input-error.js";
import { duration, fields, openStrictFile, type StrictFile, text } from "../../base/strict-file.js";
import { SecretSource, SecretSourceTemplate } from "../../client/source-schemas.js";
import { type Labels, parseSelection } from "./selection.js";
import { parseAllowedFailures, type WaveRule } from "./waves.js";

export const membersFileName = "voxctl.fleet.yaml";

export const Reference = z.union([
  z.object({ profile: z.string() }),
  z.object({ url: z.string(), key: z.string() }),
]);
export type MemberReference = z.output<typeof Reference>;

export interface DeclaredMember {
  name: string;
  labels: Labels;
  reference: MemberReference;
}

export interface ListedMembers {
  profile: string;
  organizations: { type?: string | undefined; status?: string | undefined };
  name: string;
  /** URL of the members; by default, the Public API on the profile's host. */
  url?: string | undefined;
  key: string;
  labels: Labels;
}

export interface MembersFile {
  members: DeclaredMember[];
  from: ListedMembers[];
  waves: WaveRule[] | undefined;
  /** Number or share of members that are allowed to fail, as in the file: `3` or `2%`. */
  maxFailures: string;
  parallel: number;
}

const namePattern = /^[A-Za-z0-9._-]{1,64}$/;
const LabelValue = z.string("must be text: put the value in quotes");
const LabelMap = z.record(z.string(), LabelValue, "must be a mapping of labels").default({});
const Member = fields({
  profile: text.optional(),
  url: text.optional(),
  key: text.pipe(SecretSource).optional(),
  labels: LabelMap,
});
const From = fields({
  profile: text,
  organizations: fields({
    type: z.enum(["msp", "customer"], "must be msp or customer").optional(),
    status: z.enum(["active", "blocked"], "must be active or blocked").optional(),
  }).default({}),
  name: text.default("{externalOrganizationId}"),
  url: text.optional(),
  key: text.pipe(SecretSourceTemplate),
  labels: LabelMap,
});
const WaveEntry = fields({
  select: text.optional(),
  percent: z.number("must be a number from 1 to 100").positive().max(100).optional(),
  rest: z.literal(true, "must be true").optional(),
  hold: duration.optional(),
});
const File = fields({
  version: z.literal(1, "must be 1"),
  members: z.record(z.string(), Member, "must be a mapping of names to members").default({}),
  from: z.array(From, "must be a list").default([]),
  waves: z.array(WaveEntry, "must be a list of waves").min(1, "is empty").optional(),
  max_failures: z
    .union([z.number(), z.string()], "must be a number or a percentage")
    .transform(String)
    .default("0"),
  parallel: z
    .int("must be a whole number of at least 1")
    .min(1, "must be a whole number of at least 1")
    .default(4),
});

/**
 * @param options.mayNameAddresses whether the file may contain URLs. Must be false for a file that the user
 * did not pass, because its URLs could receive keys.
 * @throws InputError that lists all problems with line and column
 */
export async function parseMembersFile(
  content: string,
  { file, mayNameAddresses }: { file: string; mayNameAddresses: boolean },
): Promise<MembersFile> {
  const strict = await openStrictFile(content, { file, showsColumns: true });
  const parsed = strict.parse(File);
  if (parsed === undefined) throw strict.failure();
  const report = (path: (string | number)[], message: string, key?: string) =>
    strict.problems.push({ path, message, key });
  const members = Object.entries(parsed.members).map(([name, { labels, ...reach }]) => {
    const path = ["members", name];
    if (!namePattern.test(name))
      report(path, "invalid name: expected up to 64 letters, digits, periods, hyphens and underscores");
    checkLabels(strict, [...path, "labels"], labels);
    return { name, labels, reference: readReference(strict, path, reach) };
  });
  for (const [index, { labels }] of parsed.from.entries())
    checkLabels(strict, ["from", index, "labels"], labels);
  if (!mayNameAddresses)
    for (const path of listAddresses(parsed))
      report(path, `is allowed only in a file passed with --fleet; in ${file}, use profiles`);
  const waves = parsed.waves?.map((wave, index) => readWave(strict, ["waves", index], wave));
  if (parseAllowedFailures(parsed.max_failures) === undefined)
    report(["max_failures"], "must be a number such as 3 or a percentage such as 2%");
  if (strict.problems.length > 0) throw strict.failure();
  return {
    members,
    from: parsed.from,
    waves,
    maxFailures: parsed.max_failures,
    parallel: parsed.parallel,
  };
}

function listAddresses({ members, from }: z.output<typeof File>): (string | number)[][] {
  return [
    ...Object.entries(members).flatMap(([name, { url }]) =>
      url === undefined ? [] : [["members", name, "url"]],
    ),
    ...from.flatMap(({ url }, index) => (url === undefined ? [] : [["from", index, "url"]])),
  ];
}

function readReference(
  { problems }: StrictFile,
  path: (string | number)[],
  { profile, url, key }: { profile?: string | undefined; url?: string | undefined; key?: string | undefined },
): MemberReference {
  if (profile !== undefined && url === undefined && key === undefined) return { profile };
  if (profile === undefined && url !== undefined && key !== undefined) return { url, key };
  problems.push({ path, message: "must have either profile, or url and key" });
  return { profile: "" };
}

/** Reports invalid label names, and the labels `name` and `profile`, which only voxctl sets. */
function checkLabels({ problems }: StrictFile, path: (string | number)[], labels: Labels): void {
  for (const label of Object.keys(labels)) {
    if (label === "name" || label === "profile")
      problems.push({ path: [...path, label], message: "is set by voxctl: choose another label" });
    else if (!/^[A-Za-z0-9._-]+$/.test(label))
      problems.push({
        path: [...path, label],
        message: "invalid label: expected letters, digits, ., - and _",
      });
  }
}

function readWave(
  { problems }: StrictFile,
  path: (string | number)[],
  { select, percent, rest, hold = 0 }: z.output<typeof WaveEntry>,
): WaveRule {
  const takes: WaveRule["takes"][] = [];
  if (percent !== undefined) takes.push({ type: "percent", percent });
  if (rest !== undefined) takes.push({ type: "rest" });
  if (select !== undefined) {
    try {
      takes.push({ type: "select", selection: parseSelection(select, "select") });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push({ path: [...path, "select"], message: error.message });
    }
  }
  const [first, ...further] = takes;
  if ((first === undefined && select === undefined) || further.length > 0)
    problems.push({ path, message: "must have exactly one of select, percent and rest" });
  return { takes: first ?? { type: "rest" }, hold };
}
