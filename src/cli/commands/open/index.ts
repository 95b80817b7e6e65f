import { notFoundError, usageError } from "../../errors/errors.js";
import { surfaceNames } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { worldFlags } from "../emulator/control.js";

/** `voxctl open`: the page that belongs to the profile in use. */
export const open: Command = {
  name: "open",
  summary: "Open the service's documentation, or the emulator's page, in a browser",
  description:
    "The page is documentation (the service's description of its Public API; it needs no key) or emulator (requests, organizations, clock and faults of the running emulator). Without a word it is the documentation with a profile of a deployment, and the emulator's page with an offline one. The address is printed, too; without a person at a terminal it is only printed.",
  arguments: [{ name: "page", description: "documentation or emulator", optional: true }],
  flags: [{ name: "print", description: "Print the URL without opening it" }, ...worldFlags],
  examples: [
    { command: "voxctl open documentation --profile acme", note: "how the service describes its Public API" },
    { command: "voxctl open emulator --print", note: "a link that works once" },
  ],
  async run(session, input) {
    const url = await addressOf(input.arguments[0], session, input);
    const { output: asked } = session.flags;
    if (asked === undefined || asked === "table") await session.output.text(`${url}\n`);
    else await session.output.item({ url });
    if (input.on("print") || !session.prompts.available) return;
    const { openInBrowser } = await import("./browser.js");
    if (!(await openInBrowser(url, session.io.env)))
      session.notes.warn("no program opens addresses here; BROWSER=PROGRAM names one");
  },
};

async function addressOf(page: string | undefined, session: Session, input: Input): Promise<string> {
  const profile = await session.profile();
  const isEmulator = profile.kind === "offline" || input.has("port") || input.has("db");
  const wanted = page ?? (isEmulator ? "emulator" : "documentation");
  if (wanted.length >= 3 && "documentation".startsWith(wanted)) {
    if (profile.kind === "remote") {
      const base = profile.targets.public?.baseUrl ?? profile.unreadable?.public?.baseUrl;
      if (base !== undefined) return `${base}/docs`;
      throw notFoundError(
        `the profile ${profile.name} has no address of the Public API, which is what is documented`,
        `voxctl profiles add ${profile.name} --url URL adds it; it has ${surfaceNames.filter((name) => profile.targets[name]).join(", ")}`,
      );
    }
    const { runningPage } = await import("./emulator-page.js");
    return `${(await runningPage(session, input)).line.base_url}/docs`;
  }
  if (wanted === "emulator" || wanted === "ui") {
    const { runningPage } = await import("./emulator-page.js");
    return (await runningPage(session, input)).url;
  }
  throw usageError(`there is no page "${wanted}"; there are documentation and emulator`);
}
