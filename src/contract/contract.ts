import { customers } from "./distributor/customers.js";
import { distributorHealth } from "./distributor/health.js";
import { licenses } from "./distributor/licenses.js";
import { orgs } from "./distributor/orgs.js";
import { partners } from "./distributor/partners.js";
import { usage } from "./distributor/usage.js";
import { legacy } from "./legacy/legacy.js";
import type { Operations } from "./operation.js";
import { assistants } from "./public/assistants.js";
import { calendars } from "./public/calendars.js";
import { calls } from "./public/calls.js";
import { contacts } from "./public/contacts.js";
import { forwardings } from "./public/forwardings.js";
import { glossary } from "./public/glossary.js";
import { groups } from "./public/groups.js";
import { knowledge } from "./public/knowledge.js";
import { ping } from "./public/ping.js";
import { prompts } from "./public/prompts.js";
import { pronunciation } from "./public/pronunciation.js";
import { recordings } from "./public/recordings.js";
import { statistics } from "./public/statistics.js";
import { tools } from "./public/tools.js";
import { voices } from "./public/voices.js";

export const resources: Readonly<Record<string, Operations>> = {
  ping,
  groups,
  contacts,
  prompts,
  voices,
  assistants,
  orgs,
  licenses,
  usage,
  distributorHealth,
  partners,
  customers,
  legacy,
  knowledge,
  forwardings,
  glossary,
  pronunciation,
  calendars,
  tools,
  calls,
  recordings,
  statistics,
};

/** `wire.ts` contains the same operations without schemas and loads faster. */
export const operations: Operations = Object.assign({}, ...Object.values(resources));
