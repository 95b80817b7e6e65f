import type { View } from "../../../cli/output/output.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Command } from "../../../cli/session/command.js";
import { listMirrors, openMirror } from "../../../cli/session/mirrors.js";
import { showMirror } from "./fill.js";

const view: View = {
  columns: [
    { header: "MIRROR", value: "name", keep: true },
    { header: "STATE", value: "state", keep: true },
    { header: "PROFILE", value: "profile" },
    { header: "COPIED", value: "collected_at", as: "time" },
    {
      header: "CONSISTENCY",
      value: ({ consistency }) => (consistency === "consistent" ? "consistent" : consistency && "fuzzy"),
    },
    { header: "EXPIRES", value: "expires_at", as: "time" },
  ],
  fields: ["name", "state", "profile", "base_url", "collected_at", "consistency", "expires_at", "path"],
  empty: "no mirrors",
};

export const list: Command = {
  name: "list",
  summary: "List the mirrors on this machine",
  description: "Also deletes expired mirrors. With a name, shows what the mirror contains and what it lacks.",
  arguments: [{ name: "name", description: "Name of a mirror", optional: true }],
  examples: [{ command: "voxctl mirror list" }, { command: "voxctl mirror list acme" }],
  async run(session, input) {
    refuseInRehearsal(session.io.env, "mirror list");
    const [named] = input.arguments;
    if (named !== undefined) {
      const { manifest, path } = await openMirror(session, named);
      return showMirror(session, manifest, { path });
    }
    const mirrors = await listMirrors(session);
    await session.output.list(
      mirrors.map(({ name, path, request, manifest, isOtherVersion }) => ({
        name,
        state: isOtherVersion ? "other version" : manifest ? "finished" : "unfinished",
        profile: request?.profile ?? null,
        base_url: request?.base_url ?? null,
        collected_at: manifest?.collected[1] ?? null,
        consistency: manifest?.consistency ?? null,
        expires_at: manifest?.expires_at ?? null,
        path,
      })),
      view,
    );
  },
};
