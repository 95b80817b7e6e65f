import { parseDocument } from "yaml";

/**
 * The value of a document in which each scalar is a text, as it is written: `007`, `1.10`, `true`.
 * One function with a name: the library is CommonJS, and a bundle gives an import() of such a thing no names.
 */
export function readTexts(text: string): { value: unknown } | { error: string; line: number } {
  const document = parseDocument(text, { schema: "failsafe", logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    const [message = ""] = error.message.split(/ at line|\n/);
    return { error: message.replace(/:$/, ""), line: error.linePos?.[0].line ?? 1 };
  }
  try {
    return { value: document.toJS() };
  } catch (error) {
    // An alias without an anchor, or too many of them.
    return { error: error instanceof Error ? error.message : String(error), line: 1 };
  }
}
