import type { SurfaceName } from "../../../contract/surfaces.js";
import type { StartLine } from "../../../emulator/types.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import { openLocalNetwork } from "../../session/local-server.js";
import type { Session } from "../../session/session.js";
import { runningEmulators } from "./registry.js";
import { currentAccess } from "./variables.js";
import { controlOfServer } from "./world.js";

/**
 * Address and key of each interface of an emulator that runs.
 * @param port the one that listens there; else the only one
 * @throws not found (4), usage error (2) where several run
 */
export async function runningEmulator(
  session: Session,
  port: string | undefined,
): Promise<Partial<Record<SurfaceName, { url: string; key: string }>>> {
  const network = await openLocalNetwork(session);
  try {
    const line = choose(await runningEmulators(session.folders, network.transport), port);
    return await currentAccess(line, controlOfServer(network.transport, line));
  } finally {
    await network.close();
  }
}

function choose(lines: readonly StartLine[], port: string | undefined): StartLine {
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
