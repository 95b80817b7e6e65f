/**
 * The run's database contains the expectations, so that a long plan needs no more memory than a short one.
 */

import type { Database } from "../../base/database.js";
import { stringifyExactJson } from "../../base/exact-json.js";
import { recordOf } from "../values.js";
import { absencesOf, printsOf } from "./absences.js";
import { resourceOf, scopeOf } from "./canonical.js";
import { differenceOf, listResourceTests, testOf } from "./conditions.js";
import { type PlanStep, parsePlanLine } from "./format.js";

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
    step INTEGER NOT NULL,
    -- Number of the expectation in its step, from 0.
    part INTEGER NOT NULL,
    scope TEXT NOT NULL,
    shape TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    -- The shape without the fields that lists omit. Null if lists contain all fields of the shape.
    listed_shape TEXT,
    listed TEXT,
    -- Null if any number may exist.
    allowed INTEGER,
    -- Value that must not exist, for messages. Null for a whole resource or a name.
    value TEXT,
    found INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (step, part)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS expected_absences_found ON expected_absences (scope, shape, fingerprint);
  CREATE INDEX IF NOT EXISTS expected_absences_listed ON expected_absences (scope, listed_shape, listed) WHERE listed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS expected_members (
    step INTEGER PRIMARY KEY,
    thing TEXT NOT NULL,
    failure TEXT
  );
  -- Resources that existed before the plan was applied and equal those that it creates.
  CREATE TABLE IF NOT EXISTS alike_before (thing TEXT PRIMARY KEY) WITHOUT ROWID;
`;

export interface Failure {
  step: number;
  /** Path of the resource, such as `contacts/65f1…`. */
  resource: string;
  /** Reason shown to the user, such as `last_name: expected "Weiß", found "Weiss-Meier"`. */
  reason: string;
}

export interface Scope {
  /** Notation in the plan, such as `contacts?group_id=65f1…`. */
  text: string;
  resource: string;
  query: Readonly<Record<string, string>>;
}

export interface Expectations {
  /** Adds a step's expectations. To add many steps, call it within one transaction. */
  add(step: PlanStep): void;
  together<T>(work: () => Promise<T>): Promise<T>;
  resources(): { resource: string; count: number }[];
  /** Returns IDs of resources that have not been read yet, starting after the ID `after`. */
  unseen(resource: string, after: string, count: number): string[];
  /**
   * Records a resource's current state.
   * @param value the resource; null if a get confirmed its deletion
   */
  see(resource: string, id: string, value: unknown): void;
  /** Records a resource from a list. Lists can lag, so a resource that appears changed must be read again. */
  seeListed(resource: string, id: string, value: unknown): void;
  scopes(): Scope[];
  /** Returns whether a listed resource equals a resource to be created. Ignores fields that lists omit. */
  isAlike(scope: Scope, row: unknown): boolean;
  /** `row` must have all fields. */
  count(scope: Scope, row: unknown): void;
  /**
   * Returns whether a resource existed before the plan was applied and equals a resource that the plan
   * creates.
   */
  wasAlike(id: string): boolean;
  /** Yields the IDs of the resources for which `wasAlike` returns true. */
  alike(): Generator<string, void>;
  keepAlike(id: string): void;
  /** Yields steps with a precondition about a group's members or about calls. */
  lists(): Generator<PlanStep, void>;
  countMatches(step: number): number;
  /** Returns whether an existing resource shares a matching value with a step's new resource. */
  isShared(step: number): boolean;
  seeList(step: number, failure: string | undefined): void;
  groups(): string[];
  /** Deletes the expectations. Keeps the results of `wasAlike`. */
  clear(): void;
  /** Yields failed preconditions in the order of the steps. Must be called after all reads. */
  failures(): IterableIterator<Failure>;
}

/**
 * @param database the run's database; missing tables are created
 * @param isOwn returns whether this run created a resource; such a resource never counts as a difference
 */
export function createExpectations(
  database: Database,
  isOwn: (id: string) => boolean = () => false,
): Expectations {
  database.exec(schema);
  /**
   * Caches the shapes of each list, because each row of the list needs the shapes, and computing them reads all
   * steps.
   */
  const shapes = { whole: new Map<string, string[]>(), listed: new Map<string, string[]>() };
  const shapesOf = (scope: string, type: keyof typeof shapes): string[] => {
    const known = shapes[type].get(scope);
    if (known !== undefined) return known;
    const column = type === "whole" ? "shape" : "coalesce(listed_shape, shape)";
    const loaded = database
      .prepare(`SELECT DISTINCT ${column} AS shape FROM expected_absences WHERE scope = ?`)
      .all(scope)
      .map(({ shape }) => String(shape));
    shapes[type].set(scope, loaded);
    return loaded;
  };
  const forgetShapes = () => {
    shapes.whole.clear();
    shapes.listed.clear();
  };
  const judge = (resource: string, id: string, value: unknown) =>
    database
      .prepare("SELECT step, test FROM expected_things WHERE resource = ? AND thing = ? AND test <> '{}'")
      .all(resource, id)
      .map((row) => ({
        step: Number(row["step"]),
        failure: differenceOf(resource, testOf(row), value) ?? null,
      }));
  const save = (resource: string, id: string, judged: { step: number; failure: string | null }[]) => {
    const update = database.prepare(
      "UPDATE expected_things SET seen = 1, failure = ? WHERE resource = ? AND thing = ? AND step = ?",
    );
    for (const { step, failure } of judged) update.run(failure, resource, id, step);
  };
  const existenceChecks = new Set<string>();
  /**
   * Records a resource for all steps that expect only its existence. One statement is enough, even for many
   * steps.
   */
  const saveExistence = (resource: string, id: string, value: unknown) => {
    if (!existenceChecks.has(resource)) return 0;
    return database
      .prepare(
        "UPDATE expected_things SET seen = 1, failure = ? WHERE resource = ? AND thing = ? AND test = '{}'",
      )
      .run(differenceOf(resource, {}, value) ?? null, resource, id);
  };
  const groups = new Set<string>();
  const seeGroup = (resource: string, id: string, value: unknown) => {
    const group = resource === "groups" ? id : recordOf(value)["group_id"];
    if (typeof group === "string") groups.add(group);
  };

  const keepAlike = (id: string) =>
    void database.prepare("INSERT OR IGNORE INTO alike_before (thing) VALUES (?)").run(id);

  return {
    async together(work) {
      database.begin();
      try {
        return await work();
      } finally {
        database.commit();
      }
    },
    add(step) {
      forgetShapes();
      const insertTest = database.prepare(
        "INSERT OR IGNORE INTO expected_things (step, resource, thing, test) VALUES (?, ?, ?, ?)",
      );
      for (const { resource, id, test } of listResourceTests(step)) {
        const text = stringifyExactJson(test);
        if (text === "{}") existenceChecks.add(resource);
        insertTest.run(step.step, resource, id, text);
      }
      const { absent, members, no_call } = step.if ?? {};
      const scope = step.op.endsWith(".create") ? scopeOf(resourceOf(step.op), step.body) : undefined;
      if (absent !== undefined) addAbsence(database, step, { count: 0, ...absent });
      // Record the scope even without a precondition: equal resources that already exist don't belong to the run.
      else if (scope !== undefined) addAbsence(database, step, { in: scope });
      if (members !== undefined || no_call !== undefined) {
        database
          .prepare("INSERT OR IGNORE INTO expected_members (step, thing) VALUES (?, ?)")
          .run(step.step, stringifyExactJson(step));
      }
    },
    resources: () =>
      database
        .prepare(
          "SELECT resource, count(DISTINCT thing) AS count FROM expected_things GROUP BY resource ORDER BY resource",
        )
        .all()
        .map((row) => ({ resource: String(row["resource"]), count: Number(row["count"]) })),
    unseen: (resource, after, count) =>
      database
        .prepare(
          "SELECT DISTINCT thing FROM expected_things WHERE resource = ? AND thing > ? AND seen = 0 ORDER BY thing LIMIT ?",
        )
        .all(resource, after, count)
        .map((row) => String(row["thing"])),
    see(resource, id, value) {
      seeGroup(resource, id, value);
      saveExistence(resource, id, value);
      save(resource, id, judge(resource, id, value));
    },
    seeListed(resource, id, value) {
      const judged = judge(resource, id, value);
      if (judged.some(({ failure }) => failure !== null)) return;
      if (saveExistence(resource, id, value) + judged.length === 0) return;
      seeGroup(resource, id, value);
      save(resource, id, judged);
    },
    scopes: () =>
      database
        .prepare("SELECT DISTINCT scope FROM expected_absences ORDER BY scope")
        .all()
        .map((row) => parseScope(String(row["scope"]))),
    isAlike(scope, row) {
      const find = database.prepare(
        `SELECT 1 FROM expected_absences WHERE scope = ?1 AND listed_shape = ?2 AND listed = ?3
         UNION ALL
         SELECT 1 FROM expected_absences WHERE scope = ?1 AND shape = ?2 AND fingerprint = ?3 AND listed IS NULL LIMIT 1`,
      );
      return shapesOf(scope.text, "listed").some((shape) =>
        printsOf(scope.resource, shape, row).some(
          (print) => find.get(scope.text, shape, print) !== undefined,
        ),
      );
    },
    count(scope, row) {
      const { id } = recordOf(row);
      if (typeof id === "string" && isOwn(id)) return;
      const add = database.prepare(
        "UPDATE expected_absences SET found = found + 1 WHERE scope = ? AND shape = ? AND fingerprint = ?",
      );
      let alike = 0;
      for (const shape of shapesOf(scope.text, "whole"))
        for (const print of printsOf(scope.resource, shape, row)) alike += add.run(scope.text, shape, print);
      if (alike > 0 && typeof id === "string") keepAlike(id);
    },
    wasAlike: (id) => database.prepare("SELECT 1 FROM alike_before WHERE thing = ?").get(id) !== undefined,
    *alike() {
      for (const { thing } of database.prepare("SELECT thing FROM alike_before").iterate())
        yield String(thing);
    },
    keepAlike,
    *lists() {
      const rows = database.prepare("SELECT thing FROM expected_members ORDER BY step").all();
      for (const row of rows) {
        const line = parsePlanLine(String(row["thing"]));
        if (line.type === "step") yield line.step;
      }
    },
    countMatches(step) {
      const row = database
        .prepare("SELECT found FROM expected_absences WHERE step = ? AND value IS NULL")
        .get(step);
      return Number(row?.["found"] ?? 0);
    },
    isShared: (step) =>
      database
        .prepare("SELECT 1 FROM expected_absences WHERE step = ? AND value IS NOT NULL AND found > 0")
        .get(step) !== undefined,
    seeList: (step, failure) =>
      void database
        .prepare("UPDATE expected_members SET failure = ? WHERE step = ?")
        .run(failure ?? null, step),
    groups: () => [...groups].sort(),
    clear() {
      forgetShapes();
      database.exec(
        "DELETE FROM expected_things; DELETE FROM expected_absences; DELETE FROM expected_members",
      );
    },
    *failures() {
      const rows = database
        .prepare(
          `SELECT step, resource || '/' || thing AS resource, failure AS reason FROM expected_things WHERE failure IS NOT NULL
           UNION ALL
           SELECT step, json_extract(thing, '$.op'), failure FROM expected_members WHERE failure IS NOT NULL
           UNION ALL
           SELECT step, scope, CASE WHEN allowed = 0 THEN coalesce('a resource with ' || value || ' already exists', 'already exists')
             ELSE 'equal resources: expected ' || allowed || ', found ' || found END
           FROM expected_absences WHERE found <> allowed
           ORDER BY 1`,
        )
        .iterate();
      for (const row of rows)
        yield { step: Number(row["step"]), resource: String(row["resource"]), reason: String(row["reason"]) };
    },
  };
}

function addAbsence(
  database: Database,
  step: PlanStep,
  absent: NonNullable<NonNullable<PlanStep["if"]>["absent"]>,
): void {
  const add = database.prepare(
    "INSERT OR IGNORE INTO expected_absences (step, part, scope, shape, fingerprint, listed_shape, listed, allowed, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const { in: scope, count = null } = absent;
  for (const [index, { shape, print, asListed, value }] of absencesOf(step, absent).entries()) {
    const part = value === undefined ? 0 : index + 1;
    const { shape: listedShape = null, print: listed = null } = asListed ?? {};
    add.run(step.step, part, scope, shape, print, listedShape, listed, count, value ?? null);
  }
}

export function parseScope(text: string): Scope {
  const [resource = "", query = ""] = text.split("?", 2);
  return { text, resource, query: Object.fromEntries(new URLSearchParams(query)) };
}
