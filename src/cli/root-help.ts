import type { Io } from "../base/io.js";
import { catalog } from "./catalog.js";
import { layOutExamples, layOutItem, wrap } from "./help-layout.js";
import type { LazyCommand } from "./session/command.js";
import { columnsOf } from "./terminal/columns.js";
import { createPaint, joined, type Paint, type Painted, styled, wantsColor } from "./terminal/paint.js";

export function helpWidth(io: Io): number {
  return Math.min(columnsOf(io, io.stdout), 120);
}

export function rootHelp(io: Io, options: { hasAll: boolean }): Painted {
  const paint = createPaint(wantsColor(io, io.stdout, true));
  return formatRootHelp({ width: helpWidth(io), paint, ...options });
}

interface RootHelpOptions {
  width: number;
  paint: Paint;
  hasAll: boolean;
}

/** Without `hasAll`, the help has at most 45 lines of 80 columns. */
export function formatRootHelp({ width, paint, hasAll }: RootHelpOptions): Painted {
  const nodes = catalog.commands.filter((node): node is LazyCommand => "load" in node);
  const sections = [...new Set(nodes.map(({ section }) => section ?? ""))];
  const longest = Math.max(...nodes.map(({ name }) => name.length));
  const lines = sections.flatMap((section) => {
    const members = nodes.filter((node) => node.section === section);
    const listed = members.filter(({ minorLabel }) => hasAll || minorLabel === undefined);
    const minor = members.filter((node) => !listed.includes(node));
    const also = `  ${minor[0]?.minorLabel}: ${minor.map(({ name }) => name).join(", ")}`;
    return [
      paint.bold(`${section}:`),
      ...listed.flatMap(({ name, summary }) => layOutItem([name, summary], longest, width)),
      ...(minor.length > 0 ? wrap(also, width, "    ") : []),
    ];
  });
  const text = [
    ...wrap(`${catalog.summary}.`, width),
    "",
    styled`${paint.bold("Usage:")} voxctl <command> <subcommand> [flags]`,
    "",
    ...lines,
    "",
    layOutExamples(catalog.examples ?? [], paint),
    ...wrap(
      "Run `voxctl <command> --help` for details, `voxctl commands` for a list of all commands, and `voxctl help help` for the help topics.",
      width,
    ),
    "",
  ];
  return joined(text, "\n");
}

export function readRootHelp(argv: readonly string[]): { hasAll: boolean } | undefined {
  const [first = "help", second] = argv;
  if (argv.length === 2) return first === "help" && second === "all" ? { hasAll: true } : undefined;
  return argv.length < 2 && ["--help", "-h", "help"].includes(first) ? { hasAll: false } : undefined;
}
