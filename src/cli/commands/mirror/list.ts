import type { View } from "../../output/output.js";
import { refuseInRehearsal } from "../../profiles/rehearsal-file.js";
import type { Command } from "../../session/command.js";
import { listMirrors } from "../../session/mirrors.js";

const view: View = {
  columns: [
    { header: "MIRROR", value: "name", keep: true },
    { header: "STATE", value: "state", keep: true },
    { header: "PROFILE", value: "profile" },
    { header: "COLLECTED", value: "collected_at", as: "time" },
    { header: "CONSISTENCY", value: "consistency" },
    { header: "EXPIRES", value: "expires_at", as: "time" },
  ],
  fields: ["name", "state", "profile", "base_url", "collected_at", "consistency", "expires_at", "path"],
  empty: "no mirrors",
};

export const list: Command = {
  name: "list",
  summary: "List the mirrors of this machine",
  description: "Those that have expired are deleted.",
  examples: [{ command: "voxctl mirror list" }],
  async run(session) {
    refuseInRehearsal(session.io.env, "mirror list");
    const mirrors = await listMirrors(session);
    await session.output.list(
      mirrors.map(({ name, path, manifest }) => ({
        name,
        state: manifest ? "finished" : "unfinished",
        profile: manifest?.profile ?? null,
        base_url: manifest?.base_url ?? null,
        collected_at: manifest?.collected[1] ?? null,
        consistency: manifest?.consistency ?? null,
        expires_at: manifest?.expires_at ?? null,
        path,
      })),
      view,
    );
  },
};
