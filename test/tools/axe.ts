import axe from "axe-core";
import type { Page } from "playwright-core";
import * as z from "zod";

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Dark mode changes only colors, so only the rule about colors is checked again. */
const forms = [1280, 390].flatMap((width) => [
  { width, colorScheme: "light", options: "{}" } as const,
  { width, colorScheme: "dark", options: "{ runOnly: ['color-contrast'] }" } as const,
]);

/** Excludes the rows after the fifth one, because checking all rows of a table would take minutes. */
const context = "{ exclude: [['tbody tr:nth-child(n + 6)']] }";

/** Milliseconds that axe can take for all views of a page, even on a machine that runs other tests. */
export const axeTimeout = 900_000;

/** Returns the findings of axe on the page, in a wide and a narrow window and in light and dark mode. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { width, colorScheme, options } of forms) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    const violations = Violations.parse(
      await page.evaluate(`axe.run(${context}, ${options}).then((run) => run.violations)`),
    );
    for (const { id, nodes } of violations)
      found.push(`${id} at ${width} px, ${colorScheme}: ${nodes.map(({ html }) => html).join(" ")}`);
  }
  return found;
}
