import { withRefusals } from "../../../cli/bulk/refusals.js";
import { CliError, type Exit, exits } from "../../../cli/errors/errors.js";
import type { ConfigError } from "../errors.js";

const exitByCode: Readonly<Record<ConfigError["code"], Exit>> = {
  config_invalid: exits.usage,
  config_secrets: exits.usage,
  config_refused: exits.refused,
  config_differs: exits.differences,
  config_not_found: exits.notFound,
};

export async function withConfigErrors(work: () => Promise<void>): Promise<void> {
  const { ConfigError, problemText } = await import("../index.js");
  await withRefusals(async () => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { code, message, hint, problems } = error;
      const details = problems.map((problem) => ({
        path: [
          problem.file,
          ...(problem.line === undefined ? [] : [problem.line]),
          ...(problem.field === undefined ? [] : [problem.field]),
        ],
        message: problems.length === 1 ? problem.message : problemText(problem),
      }));
      throw new CliError({
        exit: exitByCode[code],
        code,
        message,
        hint,
        details: problems.length === 1 ? [] : details,
        cause: error,
      });
    }
  });
}
