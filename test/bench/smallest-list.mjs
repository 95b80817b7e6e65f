// The smallest program with voxctl's libraries that lists contacts of an offline emulator: it parses the
// command line with commander and the profile with zod, acquires the lock, opens the file, finds the key's
// digest, reads a page, checks it with zod and prints it. It has no API rules, faults, limits or request log.
// It shows the limit for `voxctl contacts list`.
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import * as z from "zod";

const profileSchema = z.object({
  type: z.enum(["offline", "remote"]),
  name: z.string(),
  db: z.string().optional(),
  key: z.string().optional(),
  base_url: z.url().optional(),
  production: z.boolean().default(false),
});
const configSchema = z.object({
  version: z.number(),
  default: z.string().optional(),
  profiles: z.record(z.string(), profileSchema).default({}),
});
const text = z.string().nullable().optional();
const contactSchema = z.looseObject({
  id: z.string(),
  group_id: z.string(),
  first_name: text,
  last_name: text,
  company: text,
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  phone_numbers: z.array(z.union([z.string(), z.object({ number: z.string(), label: text })])).optional(),
  emails: z.array(z.unknown()).optional(),
});
const pageSchema = z.object({
  success: z.literal(true),
  data: z.array(contactSchema),
  meta: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
});

const globalFlags = [
  "-p, --profile <name>",
  "-o, --output <format>",
  "--json <fields>",
  "--jq <filter>",
  "--plain",
  "--yes",
  "--confirm <name>",
  "--debug",
  "--quiet",
  "--max-wait <duration>",
  "--timeout <duration>",
  "--no-color",
];
const listFlags = [
  "--group <name>",
  "--search <text>",
  "--limit <n>",
  "--all",
  "--cursor <cursor>",
  "--columns <names>",
  "--sort <field>",
  "--since <date>",
];

/** @param {string[]} words the command line, for example `contacts list --profile offline` */
export async function main(words) {
  const program = new Command("smallest-list").exitOverride();
  for (const flags of globalFlags) program.addOption(new Option(flags, "a flag"));
  const list = program.command("contacts").command("list");
  for (const flags of listFlags) list.addOption(new Option(flags, "a flag"));
  list.action(() => printContacts(readProfile(program.opts().profile)));
  await program.parseAsync(words, { from: "user" });
}

function readProfile(name = "offline") {
  const file = join(process.env.VOXCTL_CONFIG_DIR, "config.json");
  const { profiles } = configSchema.parse(
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { version: 1 },
  );
  const db = join(process.env.VOXCTL_DATA_DIR, "offline.db");
  return profiles[name] ?? profileSchema.parse({ type: "offline", name, db });
}

function printContacts({ db }) {
  const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
  const { DatabaseSync } = isNewer ? require("node:sqlite") : require("@photostructure/sqlite");
  const lock = new DatabaseSync(`${db}.lock`);
  lock.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  const database = new DatabaseSync(db);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  database.prepare("SELECT id FROM keys WHERE digest = ?").get(hash("sha256", "a key", "buffer"));
  const { objects } = database
    .prepare(
      `SELECT group_concat('{"id":"' || id || '","group_id":"' || group_id || '",' || members) AS objects
       FROM (SELECT id, group_id, members FROM contacts ORDER BY organization_id, id LIMIT 50)`,
    )
    .get();
  const body = `{"success":true,"data":[${objects ?? ""}],"meta":{"next_cursor":null,"has_more":false}}`;
  const { data } = pageSchema.parse(JSON.parse(body));
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
  database.close();
  lock.close();
}
