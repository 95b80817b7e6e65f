import * as z from "zod";
import { findSourceProblem, findVariableProblem } from "./key-test.js";

/**
 * Source of a secret, such as `env:NAME`. Accepts only plain names of variables, because voxctl prints the
 * source.
 */
export const SecretSource = textWithout((source) => findSourceProblem(source, "plain"));

/** `SecretSource` with placeholders such as `{name}`. */
export const SecretSourceTemplate = textWithout((template) =>
  findSourceProblem(template.replace(/\{[^{}]*\}/g, "_"), "plain"),
);

/** Name of an environment variable. */
export const VariableName = textWithout((name) => findVariableProblem(name));

function textWithout(findProblem: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = findProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}
