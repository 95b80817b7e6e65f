import { notFoundError, usageError } from "../../errors/errors.js";
import { apiNames } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { emulatorFlags } from "../emulator/control.js";

/** `voxctl open`: the page that belongs to the profile in use. */
export const open: Command = {
  name: "open",
  summary: "Open the service's documentation, or the emulator's page, in a browser",
  description:
    "documentation is the service's description of its Public API and requires no key. emulator shows the requests, organizations, clock and faults of the running emulator. The default is documentation for a deployment and emulator for an offline profile. The URL is also printed; without a terminal it is only printed.",
  arguments: [{ name: "page", description: "documentation or emulator", optional: true }],
  flags: [{ name: "print", description: "Print the URL without opening it" }, ...emulatorFlags],
  examples: [
    { command: "voxctl open documentation --profile acme", note: "How the service describes its Public API" },
    { command: "voxctl open emulator --print", note: "A link that works once" },
  ],
  async run(session, input) {
    const url = await findAddress(input.arguments[0], session, input);
    const { output: format } = session.flags;
    if (format === undefined || format === "table") await session.output.text(`${url}\n`);
    else await session.output.item({ url });
    if (input.on("print") || !session.prompts.available) return;
    const { openInBrowser } = await import("./browser.js");
    if (!(await openInBrowser(url, session.io.env)))
      session.notes.warn("no program opens addresses here; BROWSER=PROGRAM names one");
  },
};

async function findAddress(page: string | undefined, session: Session, input: Input): Promise<string> {
  const profile = await session.profile();
  const isEmulator = profile.type === "offline" || input.has("port") || input.has("db");
  const pageName = page ?? (isEmulator ? "emulator" : "documentation");
  if (pageName.length >= 3 && "documentation".startsWith(pageName)) {
    if (profile.type === "remote") {
      const base = profile.targets.public?.baseUrl ?? profile.unreadable?.public?.baseUrl;
      if (base !== undefined) return `${base}/docs`;
      throw notFoundError(
        `the profile ${profile.name} has no address of the Public API, which is what is documented`,
        `voxctl profiles add ${profile.name} --url URL adds it; it has ${apiNames.filter((name) => profile.targets[name]).join(", ")}`,
      );
    }
    const { openRunningPage } = await import("./emulator-page.js");
    return `${(await openRunningPage(session, input)).line.base_url}/docs`;
  }
  if (pageName === "emulator" || pageName === "ui") {
    const { openRunningPage } = await import("./emulator-page.js");
    return (await openRunningPage(session, input)).url;
  }
  throw usageError(`there is no page "${pageName}"; there are documentation and emulator`);
}
