import * as z from "zod";
import { findSourceProblem, findVariableProblem } from "./key-test.js";

/** Source of a secret. */
export const SecretSource = textWithout(findSourceProblem);

/** Name of an environment variable. */
export const VariableName = textWithout(findVariableProblem);

function textWithout(findProblem: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = findProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}
