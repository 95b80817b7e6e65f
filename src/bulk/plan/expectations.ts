/**
 * Expectations of a plan's steps about the organization, kept in the database of their run, so that a plan of any
 * length is
 * checked in the same memory.
 */
import type { Database, Row } from "../../base/database.js";
import { recordOf } from "../values.js";
import { createdFingerprint, fingerprintOf, isSameValue, resourceOf } from "./canonical.js";
import type { PlanStep } from "./format.js";

const schema = `
  CREATE TABLE IF NOT EXISTS expected_things (
    step INTEGER NOT NULL,
    resource TEXT NOT NULL,
    thing TEXT NOT NULL,
    test TEXT NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    PRIMARY KEY (resource, thing, step)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS expected_absences (
    step INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    shape TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    allowed INTEGER NOT NULL,
    found INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS expected_absences_found ON expected_absences (scope, shape, fingerprint);
`;

/** A precondition that does not hold. */
export interface Failure {
  step: number;
  /** The thing's path: `contacts/65f1…`. */
  thing: string;
  /** Why, for a person: `last_name: expected "Weiß", found "Weiss-Meier"`. */
  reason: string;
}

/** A list in which what a step creates would show. */
interface Scope {
  resource: string;
  query: Readonly<Record<string, string>>;
}

export interface Expectations {
  /** Many belong into one transaction. */
  add(step: PlanStep): void;
  /** Resources with things to look at, and how many. */
  resources(): { resource: string; things: number }[];
  /** The ids after `after` of a resource's things that were not seen yet. */
  unseen(resource: string, after: string, count: number): string[];
  /**
   * A thing as it is now.
   * @param value null where a get says that it is gone (T4)
   */
  see(resource: string, id: string, value: unknown): void;
  /** A thing as a list shows it. Lists can lag, so one that looks changed stays to be read by its id. */
  seeListed(resource: string, id: string, value: unknown): void;
  scopes(): Scope[];
  /** A row of a scope's list. */
  count(scope: Scope, row: unknown): void;
  /** Those that don't hold, in the order of their steps, once everything was seen and counted. */
  failures(): IterableIterator<Failure>;
}

/** @param database of the run; the tables are made where they are not there */
export function createExpectations(database: Database): Expectations {
  database.exec(schema);
  const shapes = new Map<string, readonly string[]>();
  const shapesOf = (scope: string): readonly string[] => {
    const known = shapes.get(scope);
    if (known !== undefined) return known;
    const rows = database.prepare("SELECT DISTINCT shape FROM expected_absences WHERE scope = ?").all(scope);
    const found = rows.map(({ shape }) => String(shape));
    shapes.set(scope, found);
    return found;
  };

  const judge = (resource: string, id: string, value: unknown) =>
    database
      .prepare("SELECT step, test FROM expected_things WHERE resource = ? AND thing = ?")
      .all(resource, id)
      .map((row) => ({ step: Number(row["step"]), failure: failureOf(resource, row, value) }));
  const save = (resource: string, id: string, judged: { step: number; failure: string | null }[]) => {
    const update = database.prepare(
      "UPDATE expected_things SET seen = 1, failure = ? WHERE resource = ? AND thing = ? AND step = ?",
    );
    for (const { step, failure } of judged) update.run(failure, resource, id, step);
  };

  return {
    add(step) {
      const thing = database.prepare(
        "INSERT OR IGNORE INTO expected_things (step, resource, thing, test) VALUES (?, ?, ?, ?)",
      );
      for (const { resource, id, test } of thingTests(step))
        thing.run(step.step, resource, id, JSON.stringify(test));
      const absent = step.if?.absent;
      if (absent === undefined) return;
      const resource = resourceOf(step.op);
      const fields = absent.name === undefined ? Object.keys(step.body ?? {}).sort() : ["name"];
      const fingerprint =
        absent.name === undefined
          ? (absent.fingerprint ?? createdFingerprint(resource, fields, step.body))
          : createdFingerprint(resource, fields, { name: absent.name });
      database
        .prepare(
          "INSERT OR IGNORE INTO expected_absences (step, scope, shape, fingerprint, allowed) VALUES (?, ?, ?, ?, ?)",
        )
        .run(step.step, absent.in, fields.join(","), fingerprint, absent.count ?? 0);
    },
    resources: () =>
      database
        .prepare(
          "SELECT resource, count(DISTINCT thing) AS things FROM expected_things GROUP BY resource ORDER BY resource",
        )
        .all()
        .map((row) => ({ resource: String(row["resource"]), things: Number(row["things"]) })),
    unseen: (resource, after, count) =>
      database
        .prepare(
          "SELECT DISTINCT thing FROM expected_things WHERE resource = ? AND thing > ? AND seen = 0 ORDER BY thing LIMIT ?",
        )
        .all(resource, after, count)
        .map((row) => String(row["thing"])),
    see: (resource, id, value) => save(resource, id, judge(resource, id, value)),
    seeListed(resource, id, value) {
      const judged = judge(resource, id, value);
      if (judged.every(({ failure }) => failure === null)) save(resource, id, judged);
    },
    scopes: () =>
      database
        .prepare("SELECT DISTINCT scope FROM expected_absences ORDER BY scope")
        .all()
        .map((row) => scopeOf(String(row["scope"]))),
    count(scope, row) {
      const text = textOf(scope);
      const add = database.prepare(
        "UPDATE expected_absences SET found = found + 1 WHERE scope = ? AND shape = ? AND fingerprint = ?",
      );
      for (const shape of shapesOf(text))
        add.run(text, shape, createdFingerprint(scope.resource, shape.split(","), row));
    },
    *failures() {
      const rows = database
        .prepare(
          `SELECT step, resource || '/' || thing AS thing, failure AS reason FROM expected_things WHERE failure IS NOT NULL
           UNION ALL
           SELECT step, scope, CASE WHEN allowed = 0 THEN 'is there already'
             ELSE 'expected ' || allowed || ' equal ones, found ' || found END
           FROM expected_absences WHERE found <> allowed
           ORDER BY 1`,
        )
        .iterate();
      for (const row of rows)
        yield { step: Number(row["step"]), thing: String(row["thing"]), reason: String(row["reason"]) };
    },
  };
}

interface ThingTest {
  resource: string;
  id: string;
  /** Conditions beside its existence. */
  test: { fields?: Readonly<Record<string, unknown>>; same?: string; updated_at?: string };
}

function* thingTests(step: PlanStep): Generator<ThingTest, void> {
  const { fields, same, updated_at, exists = [] } = step.if ?? {};
  const id = targetOf(step);
  if (id !== undefined && (fields !== undefined || same !== undefined || updated_at !== undefined)) {
    yield {
      resource: resourceOf(step.op),
      id,
      test: {
        ...(fields === undefined ? {} : { fields }),
        ...(same === undefined ? {} : { same }),
        ...(updated_at === undefined ? {} : { updated_at }),
      },
    };
  }
  for (const path of exists) {
    const slash = path.indexOf("/");
    yield { resource: path.slice(0, slash), id: path.slice(slash + 1), test: {} };
  }
}

/** The id in a step's path; undefined of what the plan itself creates. */
function targetOf({ path }: Pick<PlanStep, "path">): string | undefined {
  const [id] = Object.values(path ?? {});
  return typeof id === "string" ? id : undefined;
}

function failureOf(resource: string, row: Row, value: unknown): string | null {
  if (value === null) return "is gone";
  const { fields, same, updated_at } = recordOf(JSON.parse(String(row["test"])));
  const now = recordOf(value);
  const different = Object.entries(recordOf(fields)).filter(
    ([field, expected]) => !isSameValue(now[field], expected),
  );
  if (different.length > 0)
    return different
      .map(([field, expected]) => `${field}: expected ${inLine(expected)}, found ${inLine(now[field])}`)
      .join("; ");
  if (same !== undefined && fingerprintOf(resource, value) !== same)
    return "was changed since the plan was made";
  if (updated_at !== undefined && now["updated_at"] !== updated_at)
    return "was saved since the plan was made";
  return null;
}

function inLine(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** `contacts?group_id=65f1…`: the list, and what narrows it. */
function scopeOf(text: string): Scope {
  const [resource = "", query = ""] = text.split("?", 2);
  return { resource, query: Object.fromEntries(new URLSearchParams(query)) };
}

function textOf({ resource, query }: Scope): string {
  const parameters = new URLSearchParams({ ...query }).toString();
  return parameters === "" ? resource : `${resource}?${parameters}`;
}
