import { notFoundError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { ApiName } from "../../../contract/apis.js";
import type { StartLine } from "../../../emulator/types.js";
import { openLocalNetwork } from "../local-server.js";
import { listRunningEmulators } from "../registry.js";
import { readCurrentAccess } from "../variables.js";
import { createServerControl, getSingle } from "./emulator-target.js";

/**
 * Returns the URL and key of each API of a running emulator.
 * @param port port of the emulator; undefined means the only running one
 * @throws not found (4), usage error (2) if several are running
 */
export async function readRunningAccess(
  session: Session,
  port: string | undefined,
): Promise<Partial<Record<ApiName, { url: string; key: string }>>> {
  const network = await openLocalNetwork(session);
  try {
    const line = chooseEmulator(await listRunningEmulators(session.folders, network.transport), port);
    return await readCurrentAccess(line, createServerControl(network.transport, line));
  } finally {
    await network.close();
  }
}

function chooseEmulator(lines: readonly StartLine[], port: string | undefined): StartLine {
  const line = getSingle(port === undefined ? lines : lines.filter(({ url }) => new URL(url).port === port));
  if (line === undefined)
    throw notFoundError(
      port === undefined ? "no emulators are running" : `none of your emulators is listening on port ${port}`,
      "start an emulator: `voxctl emulator start --detach`; commands with `--profile offline` need none",
    );
  return line;
}
