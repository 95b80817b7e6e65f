import { join } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { ErasureFacts } from "./facts.js";

/**
 * Writes an erasure's receipt to the data directory or, if that fails, prints it.
 * @returns the receipt's path; null if it was printed
 */
export async function writeReceipt(
  session: Session,
  { search, decision, reference, result, local }: ErasureFacts,
): Promise<string | null> {
  const { buildReceipt } = await import("../index.js");
  const receipt = buildReceipt({
    ...{ made_by: `voxctl ${version}`, service: search.baseUrl, reference },
    ...{ started_at: search.startedAt, ended_at: new Date(session.clock.now()).toISOString() },
    ...{ searched: search.findings.searched, notSearched: search.findings.notSearched },
    erased: (result?.erased ?? [])
      .filter(({ failure }) => failure === undefined)
      .map(({ erasure }) => erasure),
    ...{ local, remains: decision.remains, plan_id: result?.plan_id ?? null },
  });
  const folder = join(session.folders.data, "subject");
  const path = join(folder, `receipt-${receipt.ended_at.replace(/[:.]/g, "-")}.json`);
  try {
    await makePrivateFolder(folder);
    await writePrivateFile(path, `${JSON.stringify(receipt, null, 2)}\n`, { replace: false });
    return path;
  } catch (error) {
    session.notes.warn(
      `could not write the receipt to ${path}: ${describeFsError(error, "write")}; printing it instead`,
    );
    session.notes.note(JSON.stringify(receipt));
    return null;
  }
}
