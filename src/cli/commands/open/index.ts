import { emulatorFlags } from "../../../features/emulate/commands/control.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import { apiNames } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

const pages = ["documentation", "emulator"] as const;

export const open: Command = {
  name: "open",
  summary: "Open the API documentation or emulator in a browser",
  description:
    "`documentation` opens the service's Public API documentation. `emulator`, the default for an offline profile, opens the web UI of the running emulator. voxctl always prints the URL, and opens a browser only on a terminal.",
  arguments: [{ name: "page", description: pages.join(" or "), optional: true, choices: pages }],
  flags: [{ name: "print", description: "Print the URL without opening it" }, ...emulatorFlags],
  examples: [
    { command: "voxctl open documentation --profile acme" },
    { command: "voxctl open emulator --print", note: "Print a one-time link" },
  ],
  async run(session, input) {
    const url = await findAddress(input.arguments[0], session, input);
    const { output: format } = session.flags;
    if (format === undefined || format === "table") await session.output.text(`${url}\n`);
    else await session.output.item({ url });
    if (input.on("print") || !session.prompts.available) return;
    const { openInBrowser } = await import("./browser.js");
    if (!(await openInBrowser(url, session.io.env)))
      session.notes.warn("no browser found; to specify one, set BROWSER=PROGRAM");
  },
};

async function findAddress(page: string | undefined, session: Session, input: Input): Promise<string> {
  const profile = await session.profile();
  const isEmulator = profile.type === "offline" || input.has("port") || input.has("db");
  const pageName = page ?? (isEmulator ? "emulator" : "documentation");
  if (pageName.length >= 3 && "documentation".startsWith(pageName)) {
    if (!isEmulator) {
      const base = profile.targets.public?.baseUrl ?? profile.unreadable?.public?.baseUrl;
      if (base !== undefined) return `${base}/docs`;
      throw notFoundError(
        `profile "${profile.name}" has no URL for the Public API, only for ${apiNames.filter((name) => profile.targets[name]).join(", ")}`,
        `add the URL: \`voxctl profiles add ${profile.name} --url URL\``,
      );
    }
    const { openRunningPage } = await import("./emulator-page.js");
    return `${(await openRunningPage(session, input)).line.base_url}/docs`;
  }
  if (pageName === "emulator" || pageName === "ui") {
    const { openRunningPage } = await import("./emulator-page.js");
    return (await openRunningPage(session, input)).url;
  }
  throw usageError(`invalid page "${pageName}": expected ${pages.join(" or ")}`);
}
