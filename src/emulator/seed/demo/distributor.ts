import { assign, createLicense, disable } from "../../distributor/lifecycle.js";
import { type Provisioning, provisionOrganization } from "../../distributor/organizations.js";
import type { EmulatorState } from "../../emulator-state.js";
import { plantCustomerCalls } from "./customer-calls.js";

interface DemoMsp {
  externalId: string;
  name: string;
  license: { id: string; product: string };
  /** A license without `customer` is unassigned. */
  seats: { id: string; product: string; customer?: DemoCustomer; disabled?: true }[];
}

interface DemoCustomer {
  externalId: string;
  name: string;
  /** Maximum number of calls per workday. */
  busy?: number;
  industry?: string;
}

const practiceSeat = "havel-001";

const demoMsps: readonly DemoMsp[] = [
  {
    externalId: "havel-it",
    name: "Havel IT-Systemhaus GmbH",
    license: { id: "havel-base", product: "MSP" },
    seats: [
      { id: practiceSeat, product: "Praxis" },
      {
        id: "havel-002",
        product: "Standard",
        customer: {
          externalId: "physio-kanal",
          name: "Physiotherapie am Kanal",
          industry: "Physiotherapie",
          busy: 3,
        },
      },
      {
        id: "havel-003",
        product: "Standard",
        customer: { externalId: "blumen-petersen", name: "Blumen Petersen" },
        disabled: true,
      },
      { id: "havel-004", product: "Standard" },
      { id: "havel-005", product: "Praxis" },
    ],
  },
  {
    externalId: "nordlicht",
    name: "Nordlicht Telekom-Service",
    license: { id: "nordlicht-base", product: "MSP" },
    seats: [
      {
        id: "nl-101",
        product: "Standard",
        customer: {
          externalId: "kanzlei-brandt",
          name: "Kanzlei Brandt & Söhne",
          industry: "Rechtsberatung",
          busy: 2,
        },
      },
      {
        id: "nl-102",
        product: "Standard",
        customer: { externalId: "autohaus-feddersen", name: "Autohaus Feddersen" },
      },
      { id: "nl-103", product: "Standard" },
    ],
  },
  {
    externalId: "spree-kom",
    name: "SpreeKom GmbH",
    license: { id: "spree-base", product: "MSP" },
    seats: [],
  },
];

export function plantDistributor(state: EmulatorState, practiceId: string): void {
  const { database } = state;
  const distributorId = String(database.prepare("SELECT min(id) AS id FROM distributors").get()?.["id"]);
  const now = state.clock.now();
  const context: Provisioning = { state, database, now, newId: () => state.ids.next(), distributorId };
  for (const { externalId, name, license, seats } of demoMsps) {
    const mspId = provisionOrganization(context, { type: "msp", name, externalId });
    const own = { externalId: license.id, product: license.product, ownerId: mspId };
    assign(context, createLicense(context, own), mspId);
    for (const { id, product, customer, disabled } of seats) {
      const seat = createLicense(context, { externalId: id, product, ownerId: mspId });
      const holderId =
        id === practiceSeat
          ? assignToMsp(context, practiceId, mspId)
          : customer && plantCustomer(context, customer, mspId);
      if (holderId === undefined) continue;
      assign(context, seat, holderId);
      if (disabled) disable(context, { ...seat, status: "assigned", assignedId: holderId });
    }
  }
  plantPartner(context);
}

function plantCustomer(context: Provisioning, customer: DemoCustomer, mspId: string): string {
  const { externalId, name, busy, industry } = customer;
  const id = provisionOrganization(context, { type: "customer", name, externalId, parentId: mspId });
  if (busy !== undefined) plantCustomerCalls(context.state, id, { name, busy, industry: industry ?? "" });
  return id;
}

function assignToMsp(context: Provisioning, organizationId: string, mspId: string): string {
  context.database
    .prepare(
      "UPDATE organizations SET distributor_id = ?, type = 'customer', parent_id = ?, external_id = 'praxis-sommer' WHERE id = ?",
    )
    .run(context.distributorId, mspId, organizationId);
  return organizationId;
}

/**
 * Creates a partner without licenses, as v1 of the distributor API allows. The partner's customer has a
 * subscription plan.
 */
function plantPartner(context: Provisioning): void {
  const partner = { externalId: "altstadt-edv", name: "Altstadt EDV" };
  context.database
    .prepare(
      "INSERT INTO partners (id, distributor_id, external_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(context.newId(), context.distributorId, partner.externalId, partner.name, context.now, context.now);
  const mspId = provisionOrganization(context, { type: "msp", ...partner });
  const customerId = provisionOrganization(context, {
    type: "customer",
    name: "Altstadt Optik",
    externalId: "altstadt-optik",
    parentId: mspId,
  });
  context.database.prepare("INSERT INTO plans (organization_id, plan) VALUES (?, 'starter')").run(customerId);
}
