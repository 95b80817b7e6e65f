import type { StartLine } from "../../../emulator/types.js";
import { readEmulator } from "../../../features/emulate/commands/control.js";
import { createNoServerError } from "../../../features/emulate/commands/emulator-target.js";
import { notFoundError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

/** Finds the profile's running emulator, and creates a one-time link to its web UI. @throws not found (4) */
export async function openRunningPage(
  session: Session,
  input: Input,
): Promise<{ line: StartLine; url: string }> {
  let page: { line: StartLine; url: string } | undefined;
  await readEmulator(session, input, async (control, target, { running }) => {
    if (!("line" in target)) throw createNoServerError(target, await running());
    page = { line: target.line, url: target.line.url + (await control("uiTickets.create")).path };
  });
  if (!page)
    throw notFoundError("no emulator is running", "start an emulator: `voxctl emulator start --detach`");
  return page;
}
