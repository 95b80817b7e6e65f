/** Each new resource must be added here. */

import type { Operations } from "../contract/operation.js";
import type { AnyHandler, Context, Handlers } from "./context.js";
import type { Migration } from "./database/migrations.js";
import type { PlantDemo } from "./seed/seed.js";

export interface Resource {
  operations: Operations;
  handlers: Readonly<Record<string, AnyHandler>>;
}

/** The types ensure that each handler matches its operation. */
function resource<T extends Operations, C extends Context>(
  operations: T,
  handlers: Handlers<T, C>,
): Resource {
  // The cast is safe, because the schemas and the policy prepare the input and the context of each handler.
  return { operations, handlers: handlers as Readonly<Record<string, AnyHandler>> };
}

export const resources: Readonly<Record<string, () => Promise<Resource>>> = {
  ping: async () =>
    resource(
      (await import("../contract/public/ping.js")).ping,
      (await import("./public/ping.js")).pingHandlers,
    ),
  groups: async () =>
    resource(
      (await import("../contract/public/groups.js")).groups,
      (await import("./public/groups.js")).groupHandlers,
    ),
  contacts: async () =>
    resource(
      (await import("../contract/public/contacts.js")).contacts,
      (await import("./public/contacts.js")).contactHandlers,
    ),
  prompts: async () =>
    resource(
      (await import("../contract/public/prompts.js")).prompts,
      (await import("./public/prompts.js")).promptHandlers,
    ),
  voices: async () =>
    resource(
      (await import("../contract/public/voices.js")).voices,
      (await import("./public/voices.js")).voiceHandlers,
    ),
  assistants: async () =>
    resource(
      (await import("../contract/public/assistants.js")).assistants,
      (await import("./public/assistants.js")).assistantHandlers,
    ),
  knowledge: async () =>
    resource(
      (await import("../contract/public/knowledge.js")).knowledge,
      (await import("./public/knowledge.js")).knowledgeHandlers,
    ),
  forwardings: async () =>
    resource(
      (await import("../contract/public/forwardings.js")).forwardings,
      (await import("./public/forwardings.js")).forwardingHandlers,
    ),
  glossary: async () =>
    resource(
      (await import("../contract/public/glossary.js")).glossary,
      (await import("./public/glossary.js")).glossaryHandlers,
    ),
  pronunciation: async () =>
    resource(
      (await import("../contract/public/pronunciation.js")).pronunciation,
      (await import("./public/pronunciation.js")).pronunciationHandlers,
    ),
  calendars: async () =>
    resource(
      (await import("../contract/public/calendars.js")).calendars,
      (await import("./public/calendars.js")).calendarHandlers,
    ),
  tools: async () =>
    resource(
      (await import("../contract/public/tools.js")).tools,
      (await import("./public/tools.js")).toolHandlers,
    ),
  calls: async () =>
    resource(
      (await import("../contract/public/calls.js")).calls,
      (await import("./public/calls.js")).callHandlers,
    ),
  recordings: async () =>
    resource(
      (await import("../contract/public/recordings.js")).recordings,
      (await import("./public/recordings.js")).recordingHandlers,
    ),
  statistics: async () =>
    resource(
      (await import("../contract/public/statistics.js")).statistics,
      (await import("./public/statistics.js")).statisticsHandlers,
    ),
  orgs: async () =>
    resource(
      (await import("../contract/distributor/orgs.js")).orgs,
      (await import("./distributor/orgs.js")).orgHandlers,
    ),
  licenses: async () =>
    resource(
      (await import("../contract/distributor/licenses.js")).licenses,
      (await import("./distributor/licenses.js")).licenseHandlers,
    ),
  usage: async () =>
    resource(
      (await import("../contract/distributor/usage.js")).usage,
      (await import("./distributor/usage.js")).usageHandlers,
    ),
  distributorHealth: async () =>
    resource(
      (await import("../contract/distributor/health.js")).distributorHealth,
      (await import("./distributor/health.js")).distributorHealthHandlers,
    ),
  partners: async () =>
    resource(
      (await import("../contract/distributor/partners.js")).partners,
      (await import("./distributor/partners.js")).partnerHandlers,
    ),
  customers: async () =>
    resource(
      (await import("../contract/distributor/customers.js")).customers,
      (await import("./distributor/customers.js")).customerHandlers,
    ),
  legacy: async () =>
    resource(
      (await import("../contract/legacy/legacy.js")).legacy,
      (await import("./legacy/legacy.js")).legacyHandlers,
    ),
};

/** A released migration must never change. To add a table, append a migration. */
export async function loadMigrations(): Promise<readonly Migration[]> {
  return [
    // Each entry increases the database's version by one.
    ...(await import("./database/migrations.js")).firstMigrations,
  ];
}

/** The functions must run in this order. */
export async function loadDemo(): Promise<readonly PlantDemo[]> {
  return [
    // One function creates the whole sample company, because its resources refer to each other.
    (await import("./seed/demo.js")).plantDemo,
  ];
}
