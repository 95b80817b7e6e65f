import type { StartLine } from "../../../emulator/types.js";
import { notFoundError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { readWorld } from "../emulator/control.js";

/** The running emulator of the profile in use, and a link that opens its page once. @throws not found (4) */
export async function runningPage(session: Session, input: Input): Promise<{ line: StartLine; url: string }> {
  let found: { line: StartLine; url: string } | undefined;
  await readWorld(session, input, async (control, world) => {
    if (!("line" in world))
      throw notFoundError(
        `no emulator serves ${world.path}, so it has no page`,
        "voxctl emulator start --detach starts one",
      );
    found = { line: world.line, url: world.line.url + (await control("uiTickets.create")).path };
  });
  if (!found) throw notFoundError("no emulator runs", "voxctl emulator start --detach starts one");
  return found;
}
