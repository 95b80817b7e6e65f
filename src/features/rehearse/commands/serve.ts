import type { Session } from "../../../cli/session/session.js";

export async function serveUntilEnd(
  { output, notes, signal }: Session,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const lines = Object.entries(variables).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`,
  );
  if (output.format === "table") await output.document(lines.join(""));
  else for (const line of lines) notes.note(line.trimEnd());
  notes.note("Serving the copy. To stop and print the summary, press Ctrl-C.");
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return 0;
}
