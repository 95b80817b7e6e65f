import { join } from "node:path";
import { openDatabase } from "../../../base/database.js";
import type { PlanFileOptions } from "../../../cli/bulk/plan-file.js";
import { refusedError } from "../../../cli/errors/errors.js";
import { readSources } from "../../../cli/session/rehearsed-sources.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import { createClient } from "../../../client/client.js";
import type { MirrorManifest } from "../../../contract/mirror.js";
import type { ClosedFork } from "../../../emulator/index.js";
import type { Emulator } from "../../../emulator/types.js";
import type { rehearsedSteps } from "../../../write/plan/index.js";
import type { Plan } from "../../../write/plan/read.js";
import type { Inventory } from "../../provision/index.js";
import { findAssumptions, findBlindWrites } from "./assumptions.js";
import { withLearnedKeys } from "./learned-keys.js";
import type { RehearsalFiles } from "./rehearsal-files.js";
import { formatCopyHint, type Source } from "./source.js";

export interface SealedEffect {
  plan: Plan;
  /** Path from --plan as typed; undefined if the plan file is in the rehearsal's directory. */
  file: string | undefined;
  /** Why --plan would have failed. */
  reason?: string;
}

/** Why the changes can't be converted to a plan. Returned only if the user doesn't pass --plan. */
export interface Unsealable {
  reason: string;
}

/**
 * Writes the changes to the file of `--plan`; without --plan, to a file in the rehearsal's directory.
 * @throws BulkError; refused error (12) if the command depended on data that was not copied
 */
export async function sealEffect(
  session: Session,
  parts: {
    fork: ClosedFork;
    files: RehearsalFiles;
    source: Source;
    plan: PlanFileOptions | undefined;
    command: readonly string[];
    exit: number;
    startedAt: number;
  },
): Promise<SealedEffect | Unsealable> {
  const { fork, plan, source } = parts;
  const blind = await findBlindWrites(fork, source.mirror.manifest);
  const reason = `the command changed ${blind.join(", ")}, but the mirror doesn't contain all of this data`;
  if (blind.length > 0 && plan !== undefined)
    throw refusedError(
      "unsuitable_mirror",
      `can't save a plan file: ${reason}`,
      formatCopyHint(source.mirror, blind),
    );
  try {
    const sealed = await seal(session, parts);
    return blind.length > 0 ? { ...sealed, reason } : sealed;
  } catch (error) {
    const { BulkError } = await import("../../../write/index.js");
    if (plan !== undefined || !(error instanceof BulkError)) throw error;
    return { reason: error.message };
  }
}

async function seal(
  session: Session,
  { fork, files, source: { mirror }, plan, command, exit, startedAt }: Parameters<typeof sealEffect>[1],
): Promise<SealedEffect> {
  const { openPlan, groupStepsByResource, readRehearsedMatches, withSources, writePlan } = await import(
    "../../../write/plan/index.js"
  );
  const { openEmulator } = await import("../../../emulator/index.js");
  const { manifest } = mirror;
  const madeAt = new Date(session.clock.now()).toISOString();
  const path = plan?.path ?? join(files.folder, "effect.plan");
  // Don't use the session's signal: the summary must be printed even after Ctrl-C.
  const { signal } = new AbortController();
  await using base = await openEmulator({ db: files.base, exclusive: true, clock: "virtual" });
  const { base_url, distributor_v2_url, keys } = base.startLine;
  const client = createClient({
    targets: {
      public: { baseUrl: base_url, key: keys.admin },
      "distributor-v2": { baseUrl: distributor_v2_url, key: keys.distributor_v2 },
    },
    transport: base.transport,
    clock: base.clock,
    random: session.random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const database = await openDatabase(join(files.folder, "seal.sqlite"));
  try {
    const header = {
      made_at: madeAt,
      made_by: `voxctl ${version}`,
      command: [...command],
      target: {
        base_url: manifest.base_url,
        anchors: manifest.anchors,
        ...(manifest.surface === "public" ? {} : { surface: manifest.surface }),
      },
      base: { mirror: mirror.name, collected: manifest.collected, consistency: manifest.consistency, exit },
      assumed: findAssumptions(fork, manifest),
    };
    const sources = await readSources(files.data);
    for (const value of sources.keys()) session.secrets.add(value);
    const writes = function* () {
      for (const write of fork.writes()) yield withSources(write, sources);
    };
    const { matchIdentityOf } = await import("../../import/index.js");
    const matches = await readRehearsedMatches(database, {
      ...{ folder: join(files.data, "runs"), startedAt, identityOfRows: matchIdentityOf },
    });
    const getStepsByResource = () => groupStepsByResource(writes());
    await withLearnedKeys(session, files, getStepsByResource, async (learned) => {
      const steps = await createSteps(
        manifest,
        { writes, base: { client, signal }, madeAt, database, matches, keys: learned?.keys },
        base,
      );
      await writePlan(
        path,
        {
          header: { ...header, ...(learned && { keys: learned.header }) },
          seconds: fork.effect.seconds,
          steps,
        },
        {
          force: plan?.force ?? false,
          passphrase: plan?.passphrase,
          random: session.random,
          temporaryFolder: files.folder,
          waiting: { clock: session.clock, signal },
        },
      );
    });
  } finally {
    database.close();
  }
  return { plan: await openPlan(path, { passphrase: plan?.passphrase }), file: plan?.file };
}

/** @throws BulkError; ClientError if the copy of the mirror can't be read */
async function createSteps(
  { surface: api }: MirrorManifest,
  rehearsal: Parameters<typeof rehearsedSteps>[0],
  { clock }: Pick<Emulator, "clock">,
) {
  if (api === "public") {
    const plans = await import("../../../write/plan/index.js");
    return plans.rehearsedSteps(rehearsal);
  }
  const { readInventory, rehearsedOrganizationSteps } = await import("../../provision/index.js");
  const listOthers = async (organizations: Inventory["organizations"]) => [...organizations.values()];
  const context = { ...rehearsal.base, clock, settleMilliseconds: 0 };
  const inventory = await readInventory(context, { msps: [] }, { findMoreMsps: listOthers });
  return rehearsedOrganizationSteps(rehearsal.writes(), inventory);
}
