import type { Command } from "../../session/command.js";
import { version } from "../../session/version.js";

export const versionCommand: Command = {
  name: "version",
  summary: "Show version details of voxctl, Node.js and the system",
  examples: [{ command: "voxctl version" }, { command: "voxctl version -o json" }],
  async run(session) {
    const { platform, arch, version: node } = process;
    const versions = { version, node: node.slice(1), platform, arch };
    if (session.output.format === "table")
      await session.output.text(`voxctl ${version} (Node ${versions.node}, ${platform} ${arch})\n`);
    else await session.output.item(versions);
  },
};
