import { mkdir } from "node:fs/promises";
import { counted } from "../../../base/text.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { encryptPlanFlag, type PlanPlace, readPlanPlace } from "../bulk/plan-file.js";
import { runsFolder } from "../bulk/target.js";
import { decideFor } from "./decided.js";
import { withConfigErrors } from "./errors.js";
import { planFlags } from "./flags.js";
import { eachTarget, openCommandFolder, type TargetPlace, targetNames } from "./place.js";
import { assertNoRefusals, planLines, planReport } from "./report.js";

export const plan: Command = {
  name: "plan",
  summary: "Show what apply would do; sends reads only",
  description: `Compares the folder with the organization and with what was applied last. Ends with 0 where apply could do it, also where there is much to do; with 10 where drift, a conflict, an adoption or an unclear move is in the way, and with 12 where a threshold or a gate is.`,
  flags: [
    ...planFlags,
    { name: "out", value: "file", description: "seal the plan there, for voxctl config apply; .gz packs it" },
    { name: "force", description: "replace the plan's file where it is there" },
    encryptPlanFlag,
  ],
  examples: [
    { command: "voxctl config plan --target prod" },
    {
      command: "voxctl config plan --target prod --out plan.jsonl",
      note: "for review; config apply carries exactly that out",
    },
    { command: "voxctl config plan --target prod --prune", note: "with what would be deleted" },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const out = readPlanPlace(session, input, { flag: "out" });
  if (out !== undefined && targetNames(input).length > 1)
    throw usageError("--out names one file, and there are several targets: a plan is one target's");
  const folder = await openCommandFolder(session, input);
  await eachTarget(session, input, folder, { mutates: false }, async (place) => {
    const decided = await decideFor(place, input, place.connection.client);
    const { decision, steps } = decided;
    const sealed = decision.refusals.length > 0 ? null : await sealTo(place, out, decided);
    await showPlan(place, decided, sealed);
    assertNoRefusals(decision);
    if (sealed !== null)
      session.notes.note(
        `plan ${sealed}: ${counted(steps.length, "step")} in ${out?.file}; voxctl config apply --target ${place.target} ${out?.file} carries it out`,
      );
  });
}

type Decided = Awaited<ReturnType<typeof decideFor>>;

/** The decision on stdout: for programs whole, for a person line by line. */
export async function showPlan(
  place: TargetPlace,
  { decision, steps }: Decided,
  planId: string | null,
): Promise<void> {
  const { output } = place.session;
  const { lockEditsOf } = await import("../../../config/index.js");
  if (output.format !== "table") return output.item(planReport(place, decision, steps, planId));
  const edits = lockEditsOf(decision, place.baseUrl, place.folder.project.project);
  const changed = Object.values(edits.lines).filter(
    ({ pending, sent }) => Object.keys(pending).length + Object.keys(sent).length === 0,
  ).length;
  const lines = await planLines(place, decision, steps, changed + edits.moves.length + edits.drops.length);
  await output.lines(lines);
}

async function sealTo(
  place: TargetPlace,
  out: PlanPlace | undefined,
  { decision, steps }: Decided,
): Promise<string | null> {
  if (out === undefined) return null;
  const { sealDecision } = await import("../../../config/index.js");
  const { session, folder, baseUrl, lockFile } = place;
  const temporaryFolder = runsFolder(session);
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const sealed = await sealDecision(decision, steps, {
    path: out.path,
    force: out.force,
    passphrase: out.passphrase,
    project: folder.project.project,
    baseUrl,
    lockSha256: lockFile.sha256,
    command: ["config", "plan", "--target", place.target],
    madeBy: `voxctl ${version}`,
    clock: session.clock,
    signal: session.signal,
    random: session.random,
    temporaryFolder,
  });
  return sealed.id;
}
