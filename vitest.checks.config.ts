import { mergeConfig } from "vitest/config";
import { checks } from "./test/helpers/checks.js";
import { common } from "./vitest.config.js";

/** Checks of the project as a whole, apart from `npm test`. */
export default mergeConfig(common, { test: { include: checks } });
