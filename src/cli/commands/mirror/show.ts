import { refuseInRehearsal } from "../../profiles/rehearsal-file.js";
import type { Command } from "../../session/command.js";
import { openMirror } from "../../session/mirrors.js";
import { showMirror } from "./fill.js";

export const show: Command = {
  name: "show",
  summary: "Show what a mirror holds, and what it does not",
  arguments: [{ name: "name", description: "the mirror's name" }],
  examples: [{ command: "voxctl mirror show acme" }],
  async run(session, input) {
    refuseInRehearsal(session.io.env, "mirror show");
    const [name = ""] = input.arguments;
    const { manifest, path } = await openMirror(session, name);
    await showMirror(session, manifest, { path });
  },
};
