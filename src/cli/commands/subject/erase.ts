import { join, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { counted } from "../../../base/text.js";
import type { EraseResult, ErasureDecision, Matcher, Remain } from "../../../subject/index.js";
import { partlyDoneError, unknownError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { type PlanOutput, readPlanOutput, sealFlags, typedWords } from "../bulk/plan-file.js";
import { withBulkRun } from "../bulk/run.js";
import { openImportTarget, runsFolder, withRefusals } from "../bulk/session.js";
import { showErasure } from "./erasure-text.js";
import { includeFlag, readIncluded, readSubject, subjectFlags } from "./flags.js";
import { matcherOf, type SubjectSearch, searchFor, tellSearched } from "./search.js";

const ownFlags: readonly Flag[] = [
  { name: "recordings", description: "also the audio of the caller's calls; it can't be brought back" },
  includeFlag,
  {
    name: "max-delete",
    value: "number|percent",
    description: "refuse (12) where more contacts than this would go",
    default: "10% of those that are there, at least one, at most 200",
  },
  { name: "dry-run", description: "show what would be erased and what would stay, and send nothing" },
  {
    name: "reference",
    value: "text",
    description: "the case in your own files, for the receipt; nothing that names the caller",
  },
  { name: "receipt", value: "file", description: "where the receipt goes", default: "in the data folder" },
];

/** `voxctl subject erase --phone +49…` */
export const eraseSubject: Command = {
  name: "erase",
  summary: "Erase a caller as far as the API can, list what remains, and write a receipt",
  description:
    "Contacts that have the number or address are deleted, recordings of the caller's calls erased (--recordings), and in " +
    "knowledge items and prompts the number or address is replaced by [erased] (--texts). All of it is shown and asked " +
    "first; each thing is read again right before and right after. Calls can't be erased through the API: they are listed, " +
    "as a text for the operator of the service, and the command ends with 68 while something remains. What only a name " +
    "tells stays unless --include names its id. Where all was done the run is forgotten, since its journal would hold what " +
    "it erased: there is no undo. The receipt holds no personal data.",
  flags: [...subjectFlags, ...ownFlags, ...sealFlags, ...groupRunFlags],
  examples: [
    { command: "voxctl subject erase --phone +491713920001 --dry-run", note: "what would go, what stays" },
    { command: "voxctl subject erase --phone +491713920001 --plan weg.plan", note: "for review" },
    {
      command:
        "voxctl subject erase --phone +491713920001 --email anna@example.org --texts --recordings --reference 2026-17 --yes",
    },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const typed = readSubject(input);
  const isLooking = input.on("dry-run") === true;
  // Who reviews the plan reads whom it is about in its steps.
  const command = typedWords(["subject", "erase"], input, [...ownFlags, ...subjectFlags.slice(-1)]);
  const plan = readPlanOutput(session, input, "", command);
  const isSending = !isLooking && plan === undefined;
  const { decideErasure, assertErasable, namesCaller } = await import("../../../subject/index.js");
  const { parseBound } = await import("../../../bulk/index.js");
  const maxDelete = input.text("max-delete");
  const bound = maxDelete === undefined ? undefined : parseBound(maxDelete, "--max-delete");
  const matcher = await matcherOf(typed);
  const reference = input.text("reference") ?? null;
  if (reference !== null && namesCaller(matcher, reference))
    throw usageError("--reference: names the caller, and would stand in the receipt");
  if (isSending) await session.assertConfirmable();
  const target = await openImportTarget(session, runsFolder(session), { dryRun: !isSending });
  const search = await searchFor(session, matcher, { texts: input.on("texts") === true });
  const include = readIncluded(input, search);
  const decision = decideErasure(search.findings, {
    ...{ matcher, include, recordings: input.on("recordings") === true },
  });
  const contacts = search.findings.searched.find(({ where }) => where === "contacts")?.read ?? 0;
  const deleted = decision.erasures.filter(({ action }) => action === "delete").length;
  assertErasable(bound, deleted, contacts);
  tellSearched(session, { ...search.findings, further: search.further });
  const facts: Facts = { session, search, decision, matcher, reference, command };
  if (!isSending || decision.erasures.length === 0) {
    const plan_id =
      plan === undefined || decision.erasures.length === 0
        ? null
        : await withBulkRun(target, { ...readBulkFlags(input), command: "subject erase" }, (context) =>
            sealed(context, facts, plan),
          );
    const receipt = isSending ? await writeReceipt(facts, input, undefined) : null;
    await showErasure(session, { ...facts, result: undefined, plan_id, receipt });
    if (isLooking) session.notes.note("nothing was sent");
    if (plan !== undefined && plan_id !== null)
      session.notes.note(
        `plan ${plan_id} is in ${plan.file}, and holds what it erases; nothing was sent: voxctl apply ${plan.file}${decision.erasures.some(({ action }) => action === "recording") ? " --allow recordings:delete" : ""}, then delete it and discard its run`,
      );
    assertNothingRemains(decision.remains, false);
    return;
  }
  await session.confirm(`${questionOf(decision)} It can't be undone.`);
  const result = await withBulkRun(
    target,
    { ...readBulkFlags(input), command: "subject erase" },
    async (context) => {
      const { eraseFound } = await import("../../../subject/index.js");
      return eraseFound(context, {
        ...{ erasures: decision.erasures, matcher, profile: target.profile, command, random: session.random },
        ...{ madeBy: `voxctl ${version}`, folder: join(session.folders.data, "subject") },
      });
    },
  );
  const failed = failedOf(result);
  const remains = [...failed, ...decision.remains];
  const shown = { ...facts, decision: { ...decision, remains } };
  const receipt = await writeReceipt(shown, input, result);
  await showErasure(session, { ...shown, result, plan_id: result.plan_id, receipt });
  if (result.run_id !== undefined)
    session.notes.warn(
      `the run ${result.run_id} is kept, and its journal holds what was to be erased: voxctl runs discard ${result.run_id}`,
    );
  if (result.unknown > 0)
    throw unknownError(
      `of ${counted(result.unknown, "erasure")} nobody can say whether they were done`,
      "the same command again finds what is still there",
    );
  assertNothingRemains(remains, result.erased.length > failed.length);
}

/** What a run of the command knows. */
export interface Facts {
  session: Session;
  search: SubjectSearch;
  decision: ErasureDecision;
  matcher: Matcher;
  reference: string | null;
  command: string[];
}

async function sealed(
  context: Parameters<typeof import("../../../subject/index.js").sealErasure>[0],
  { session, decision, command }: Facts,
  { path, force, passphrase }: PlanOutput,
): Promise<string> {
  const { sealErasure } = await import("../../../subject/index.js");
  return sealErasure(context, {
    ...{ erasures: decision.erasures, path, force, passphrase, command },
    ...{ madeBy: `voxctl ${version}`, random: session.random },
  });
}

function questionOf({ erasures }: ErasureDecision): string {
  const count = (action: string) => erasures.filter((one) => one.action === action).length;
  const parts = [
    ...(count("delete") > 0 ? [`delete ${counted(count("delete"), "contact")}`] : []),
    ...(count("recording") > 0 ? [`erase ${counted(count("recording"), "recording")}`] : []),
    ...(count("redact") > 0 ? [`change ${counted(count("redact"), "text")}`] : []),
  ].join(", ");
  return `${parts[0]?.toUpperCase() ?? ""}${parts.slice(1)}?`;
}

function failedOf(result: EraseResult): Remain[] {
  return result.erased.flatMap(({ erasure: { where, id, action }, failure }) =>
    failure === undefined
      ? []
      : [
          {
            ...{ where, id, what: action === "recording" ? "the recording" : failure },
            ...{ why: "failed" as const, todo: `${failure}: give the same command again` },
          },
        ],
  );
}

async function writeReceipt(
  { session, search, decision, reference }: Facts,
  input: Input,
  result: EraseResult | undefined,
): Promise<string> {
  const { receiptOf } = await import("../../../subject/index.js");
  const receipt = receiptOf({
    ...{ made_by: `voxctl ${version}`, service: search.baseUrl, reference, local: [] },
    ...{ started_at: search.startedAt, ended_at: new Date(session.clock.now()).toISOString() },
    ...{ searched: search.findings.searched, notSearched: search.findings.notSearched },
    erased: (result?.erased ?? [])
      .filter(({ failure }) => failure === undefined)
      .map(({ erasure }) => erasure),
    ...{ remains: decision.remains, plan_id: result?.plan_id ?? null },
  });
  const given = input.text("receipt");
  const folder = join(session.folders.data, "subject");
  const path =
    given === undefined
      ? join(folder, `receipt-${receipt.ended_at.replace(/[:.]/g, "-")}.json`)
      : resolve(session.io.cwd, given);
  try {
    if (given === undefined) await makePrivateFolder(folder);
    await writePrivateFile(path, `${JSON.stringify(receipt, null, 2)}\n`, { replace: false });
  } catch (error) {
    session.notes.warn(
      `the receipt could not be written to ${path}: ${describeFsError(error, "write")}; it follows`,
    );
    session.notes.note(JSON.stringify(receipt));
  }
  return path;
}

/** @throws CliError partly done (68) */
function assertNothingRemains(remains: readonly Remain[], isDone: boolean): void {
  if (remains.length === 0) return;
  throw partlyDoneError(
    `${counted(remains.length, "thing")} of the caller's ${remains.length === 1 ? "remains" : "remain"}, as listed`,
    isDone,
    "each one says what can be done about it",
  );
}
