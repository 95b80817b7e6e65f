import { partners as partnerOperations } from "../../../contract/distributor/partners.js";
import { getCommand, type RowsOf } from "../../derive/get.js";
import { listCommand, type ReadQuery, type RowNames } from "../../derive/list.js";
import type { Noun } from "../../derive/noun.js";
import { withTimes } from "../../derive/query-times.js";
import { usageError } from "../../errors/errors.js";
import { type Fields, isFields } from "../../output/fields.js";
import type { Column } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { readDay } from "../../session/times.js";
import { assertMonth } from "../distributor/months.js";
import { tellRunningDay, tellRunningMonth } from "../distributor/running.js";
import { withCustomerNames } from "./customer-names.js";

const counts: readonly Column[] = [
  { header: "CALLS", value: "calls", keep: true, align: "right", figure: true },
  { header: "SECONDS", value: "durationSeconds", keep: true, align: "right", figure: true },
  { header: "BILLABLE", value: "billableSeconds", keep: true, align: "right", figure: true },
];

/** A row per customer. */
const billingRows: RowsOf = ({ externalPartnerId, month, customers }, session, client) => {
  if (!Array.isArray(customers)) return undefined;
  const rows: Fields[] = customers.filter(isFields).map((row) => ({ externalPartnerId, month, ...row }));
  return withCustomerNames(session, client, rows);
};

/** Both days have to be given. */
const readDays: ReadQuery = async (given, filters, session) => {
  const days = filters.filter(({ field }) => field.name === "from" || field.name === "to");
  const missing = days.filter(({ field }) => !given.has(field.name));
  if (missing.length > 0) {
    const names = missing.map(({ flag }) => `--${flag.name} (${flag.description})`).join(" and ");
    throw usageError(`partners usage needs ${names}`);
  }
  return withTimes(given, readDay, days, session);
};

/** The command, and what is said when it has shown everything. */
function thenTelling(command: Command, tell: Command["run"]): Command {
  return {
    ...command,
    async run(session, input) {
      await command.run(session, input);
      await tell(session, input);
    },
  };
}

/** The command, after a check of what was typed. */
function firstChecking(check: (input: Input) => void, command: Command): Command {
  return {
    ...command,
    async run(session, input) {
      check(input);
      await command.run(session, input);
    },
  };
}

const customerNames: RowNames = { fields: ["customerName"], add: withCustomerNames };

export const partners: Noun = {
  name: "partners",
  noun: "partner",
  plural: "partners",
  summary: "Partners of distributor v1; new integrations use voxctl orgs",
  operations: partnerOperations,
  columns: [
    { header: "EXTERNAL ID", value: "externalPartnerId", keep: true },
    { header: "NAME", value: "name" },
    { header: "STATUS", value: "status", as: "status", keep: true },
    { header: "ORGANIZATION", value: "organizationId", keep: true, optional: true },
    { header: "CREATED", value: "createdAt", as: "time", keep: true, optional: true },
  ],
  verbs: {
    "partners.list": {
      examples: [{ command: "voxctl partners list" }, { command: "voxctl partners list --all -o json" }],
    },
    "partners.get": { examples: [{ command: "voxctl partners get altstadt-edv" }] },
    "partners.create": {
      description: "Its internal MSP organization is provisioned with it.",
      examples: [{ command: 'voxctl partners create --external-id neustadt-edv --name "Neustadt EDV"' }],
      flagNames: { externalPartnerId: "external-id" },
      flagHelp: { externalPartnerId: "your own identifier of it" },
    },
    "partners.update": {
      examples: [{ command: 'voxctl partners update altstadt-edv --name "Altstadt EDV GmbH"' }],
    },
    "partners.delete": {
      description:
        "Its organizations must be gone, the internal one too: voxctl customers delete, then voxctl orgs delete.",
      examples: [{ command: "voxctl partners delete neustadt-edv --yes" }],
    },
    "partners.usage": {
      examples: [
        { command: "voxctl partners usage --from 30d --to today --partner altstadt-edv" },
        { command: "voxctl partners usage --from 2026-02-01 --to 2026-02-28 --all -o csv" },
      ],
      command: (derivation) =>
        thenTelling(listCommand(derivation, readDays, customerNames), async (session, input) =>
          tellRunningDay(session, await readDay(input.text("to") ?? "", "--to", session.serviceNow)),
        ),
      flagNames: { externalPartnerId: "partner" },
      flagHelp: {
        from: "first day, like 2026-02-01 or 30d",
        to: "last day, included, or today",
        externalPartnerId: "only this one",
      },
      columns: [
        { header: "DATE", value: "date", keep: true },
        { header: "PARTNER", value: "externalPartnerId" },
        { header: "CUSTOMER", value: "externalCustomerId" },
        ...counts,
      ],
    },
    "partners.billing": {
      description: "Customers without a plan are not billed.",
      examples: [
        { command: "voxctl partners billing altstadt-edv" },
        { command: "voxctl partners billing altstadt-edv --month 2026-02 -o csv" },
      ],
      command: (derivation) =>
        firstChecking(
          (input) => assertMonth(input.text("month")),
          thenTelling(getCommand(derivation, billingRows), async (session, input) =>
            tellRunningMonth(session, input.text("month")),
          ),
        ),
      flagHelp: { month: "like 2026-02; the current one without it" },
    },
  },
};
