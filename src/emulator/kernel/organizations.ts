import type { Database, Row } from "../../base/database.js";
import { features } from "../../contract/control/choices.js";
import { groupTypes } from "../../contract/public/groups.js";

const defaultFeatures: readonly string[] = features.filter((feature) => feature !== "prompt_rating");

export interface Organization {
  id: string;
  name: string;
  status: "active" | "blocked";
  features: ReadonlySet<string>;
}

export class OrganizationStore {
  private cache = new Map<string, Organization | undefined>();

  constructor(private readonly database: Database) {}

  reload(): void {
    this.cache = new Map();
  }

  get(id: string): Organization | undefined {
    if (!this.cache.has(id)) {
      const row = this.database.prepare("SELECT * FROM organizations WHERE id = ?").get(id);
      this.cache.set(id, row && toOrganization(row));
    }
    return this.cache.get(id);
  }
}

export function toOrganization(row: Row): Organization {
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    status: row["status"] === "blocked" ? "blocked" : "active",
    features: new Set<string>(JSON.parse(String(row["features"]))),
  };
}

/** Creates an organization with its five default groups, and returns its ID (D-org). */
export function createOrganization(
  database: Database,
  nextId: () => string,
  now: number,
  values: { name: string; features?: readonly string[] },
): string {
  const id = nextId();
  database
    .prepare("INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES (?, ?, ?, ?, ?)")
    .run(id, values.name, JSON.stringify(values.features ?? defaultFeatures), now, now);
  const insertGroup = database.prepare(
    "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, ?, 'Default', ?, ?)",
  );
  for (const type of groupTypes) insertGroup.run(nextId(), id, type, now, now);
  return id;
}
