import type { ApiName } from "../../../contract/apis.js";
import type { StartLine } from "../../../emulator/types.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import { openLocalNetwork } from "../../session/local-server.js";
import type { Session } from "../../session/session.js";
import { createServerControl } from "./emulator-target.js";
import { listRunningEmulators } from "./registry.js";
import { readCurrentAccess } from "./variables.js";

/**
 * Address and key of each interface of an emulator that runs.
 * @param port the one that listens there; else the only one
 * @throws not found (4), usage error (2) where several run
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
  const portOf = ({ url }: StartLine) => new URL(url).port;
  const fitting = port === undefined ? lines : lines.filter((line) => portOf(line) === port);
  const [line] = fitting;
  if (line === undefined)
    throw notFoundError(
      port === undefined ? "no emulator of yours runs" : `no emulator of yours listens on port ${port}`,
      "voxctl emulator start --detach starts one; voxctl emulator status shows those that run",
    );
  if (fitting.length > 1)
    throw usageError(
      `${fitting.length} emulators run; choose one by --port: ${fitting.map(portOf).join(", ")}`,
    );
  return line;
}
