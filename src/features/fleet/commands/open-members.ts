import { dirname, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { readUtf8 } from "../../../base/utf8.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import { chooseProfile } from "../../../cli/profiles/choose.js";
import type { ChosenProfile } from "../../../cli/profiles/profile.js";
import { openLocalAccess } from "../../../cli/session/folder-access.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { createSourceReader } from "../../config/commands/secret-sources.js";
import type { DeclaredMember, Labels, ListedMembers, MemberReference, MembersFile } from "../index.js";
import { formatListCommand } from "./flags.js";
import { type MemberAccess, resolveReference } from "./member-access.js";

export interface Member {
  name: string;
  labels: Labels;
  /** Contains absolute paths, which are valid in any directory. */
  reference: MemberReference;
  access: MemberAccess | undefined;
  problem: CliError | undefined;
  /** Whether a distributor listed the member. A listed member without a key is skipped. */
  isListed: boolean;
}

export interface OpenedFleet {
  settings: MembersFile;
  members: Member[];
}

type ReadSource = (from: string) => Promise<string | undefined>;

interface Declared extends DeclaredMember {
  isListed: boolean;
  read: ReadSource;
}

/**
 * Reads the members file and distributors' organizations, and finds the keys of the selected members.
 * @throws usage error (2), also if no members are selected; refused error (12) if a key's source is not
 * allowed
 */
export async function openFleet(session: Session, input: Input): Promise<OpenedFleet> {
  const { membersFileName, matchesAny, parseMembersFile, parseSelection } = await import("../index.js");
  const typed = input.text("fleet");
  const file = typed ?? membersFileName;
  const selections = input.texts("select").map((text) => parseSelection(text, "--select"));
  const path = resolve(session.io.cwd, file);
  const content = await readUtf8(path).catch((cause: unknown) => {
    const hint =
      typed === undefined
        ? "create the file as described in `voxctl help fleet`, or specify another file with --fleet FILE"
        : undefined;
    throw usageError(`cannot read the members file ${file}: ${describeFsError(cause)}`, {
      cause,
      ...(hint === undefined ? {} : { hint }),
    });
  });
  const settings = await parseMembersFile(content, { file, mayNameAddresses: typed !== undefined });
  const root = dirname(path);
  const isSelected = matchesAny(selections);
  const declared = (await declareMembers(session, input, settings, { root, isTrusted: typed !== undefined }))
    .map((member) => ({ ...member, labels: addLabels(member) }))
    .filter(({ labels }) => isSelected(labels))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  if (declared.length === 0)
    throw usageError(
      selections.length === 0
        ? `${file} has no members`
        : `no member of ${file} matches --select ${selections.map(({ text }) => text).join(" --select ")}`,
      { hint: `to list all members, run \`${formatListCommand(input)}\`` },
    );
  const members: Member[] = [];
  for (const member of declared) members.push(await openMember(session, member, root));
  assertDistinct(members, file);
  return { settings, members };
}

function addLabels({ name, labels, reference }: Declared): Labels {
  return { ...labels, name, ...("profile" in reference ? { profile: reference.profile } : {}) };
}

async function declareMembers(
  session: Session,
  input: Input,
  { members, from }: MembersFile,
  { root, isTrusted }: { root: string; isTrusted: boolean },
): Promise<Declared[]> {
  const readerFor = async (profile: string | undefined) =>
    createSourceReader(
      session,
      root,
      isTrusted ? undefined : await openLocalAccess(session, input, profile, root),
    );
  const read = await readerFor(undefined);
  const declared = new Map<string, Declared>();
  const problems: string[] = [];
  for (const source of from) {
    const listed = await listMembers(session, source);
    problems.push(...listed.problems);
    const readListed = await readerFor(source.profile);
    for (const member of listed.members) {
      if (declared.has(member.name)) problems.push(`several distributors list a member "${member.name}"`);
      declared.set(member.name, { ...member, isListed: true, read: readListed });
    }
  }
  if (problems.length > 0)
    throw usageError(
      problems.length === 1
        ? (problems[0] ?? "")
        : `${problems.length} problems with the members that distributors list`,
      {
        details: problems.length === 1 ? [] : problems.map((message) => ({ path: ["from"], message })),
      },
    );
  // A member in the file takes precedence over a listed member with the same name.
  for (const member of members) declared.set(member.name, { ...member, isListed: false, read });
  return [...declared.values()];
}

async function listMembers(session: Session, source: ListedMembers) {
  const { toListedMembers } = await import("../index.js");
  const { io, folders, keychain } = session;
  const profile = await chooseProfile({ io, folders, keychain }, source.profile, "from.profile");
  const connection = await session.reach(profile);
  try {
    const organizations: Record<string, unknown>[] = [];
    for await (const row of connection.client.items("orgs.list", {}, { signal: session.signal }))
      organizations.push(Object(row));
    const address = connection.baseUrl("distributor-v2") ?? "";
    return toListedMembers(organizations, source, `${new URL(address).origin}/api/v1`);
  } finally {
    await connection.close();
  }
}

async function openMember(session: Session, declared: Declared, root: string): Promise<Member> {
  const { name, labels, isListed, read } = declared;
  const reference = toAbsolute(declared.reference, root);
  try {
    const access = await resolveReference(session, name, reference, read);
    return { name, labels, isListed, reference, access, problem: undefined };
  } catch (error) {
    if (!(error instanceof CliError) || error.exit === exits.refused) throw error;
    return { name, labels, isListed, reference, access: undefined, problem: error };
  }
}

function toAbsolute(reference: MemberReference, root: string): MemberReference {
  if ("profile" in reference || !reference.key.startsWith("file:")) return reference;
  return { ...reference, key: `file:${resolve(root, reference.key.slice("file:".length))}` };
}

/** Refuses two members with the same address and key, because they are one organization. */
function assertDistinct(members: readonly Member[], file: string): void {
  const seen = new Map<string, string>();
  for (const { name, access } of members) {
    if (access === undefined) continue;
    const earlier = seen.get(access.identity);
    if (earlier !== undefined)
      throw usageError(`${file}: members ${earlier} and ${name} have the same address and key`, {
        hint: "remove one of them: the command would run twice in one organization",
      });
    seen.set(access.identity, name);
  }
}

export function describeReference(reference: MemberReference, profile: ChosenProfile | undefined): string {
  if ("url" in reference) return reference.url;
  return profile?.type === "remote" ? (profile.targets.public?.baseUrl ?? "") : "emulator";
}
