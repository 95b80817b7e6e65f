import type { Database, SqlValue } from "../../base/database.js";
import { recordOf } from "../values.js";
import { json, type NewItem, resourceJson } from "./item.js";

/** Omits secret fields from the states of resources before a journal stores them. */
export class SecretFields {
  /** Whether any item's step has secret fields. Undefined until this is known. */
  private exist: boolean | undefined;

  constructor(private readonly database: Database) {}

  /** Returns the values of an item's columns, from `state` to `detail`. */
  contentOf(item: NewItem): SqlValue[] {
    const { hidden } = recordOf(recordOf(item.input)["step"]);
    if (hidden !== undefined) this.exist = true;
    return [
      item.state,
      item.outcome,
      item.action ?? null,
      item.target ?? null,
      json(item.body),
      resourceJson(item.before, hidden),
      json(item.input),
      resourceJson(item.answer, hidden),
      json(item.detail),
    ];
  }

  /** Returns a resource's state as JSON, without the fields that the item's step marks as secret. */
  omitFrom(state: unknown, number: number): SqlValue {
    this.exist ??= this.find();
    if (!this.exist) return json(state);
    const hidden = this.database
      .prepare("SELECT json_extract(input, '$.step.hidden') AS hidden FROM items WHERE number = ?")
      .get(number)?.["hidden"];
    return resourceJson(state, typeof hidden === "string" ? JSON.parse(hidden) : undefined);
  }

  private find(): boolean {
    const first = "SELECT 1 FROM items WHERE json_extract(input, '$.step.hidden') IS NOT NULL LIMIT 1";
    return this.database.prepare(first).get() !== undefined;
  }
}
