/**
 * A separate process that writes contacts to an emulator's database, and prints a line as soon as each
 * response arrives.
 */
import { LockedError, openEmulator } from "../../src/emulator/index.js";

const options: {
  db: string;
  count: number;
  exclusive?: boolean;
  limits?: Record<string, number>;
  name: string;
} = JSON.parse(process.argv[2] ?? "{}");
const emulator = await openWhenCreated();
const headers = {
  authorization: `Bearer ${emulator.startLine.keys.admin}`,
  "content-type": "application/json",
};
const ask = (method: string, path: string, body?: string) =>
  emulator.transport(emulator.startLine.base_url + path, { method, headers, body });
const groups = JSON.parse(await (await ask("GET", "/groups?type=contacts")).text());
const group_id = groups.data[0].id;
process.stdout.write('{"ready":true}\n');
for (let index = 0; index < options.count; index += 1) {
  const body = JSON.stringify({ group_id, first_name: `${options.name} ${index}` });
  const reply = await ask("POST", "/contacts", body);
  const { data } = JSON.parse(await reply.text());
  const remaining = Number(reply.headers["x-ratelimit-remaining"]);
  process.stdout.write(
    `${JSON.stringify({ status: reply.status, id: data?.id, name: data?.first_name, remaining })}\n`,
  );
}
await emulator.close();

/** Like a command, waits for another process that is creating the database. */
async function openWhenCreated(): ReturnType<typeof openEmulator> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    try {
      return await openEmulator({
        db: options.db,
        exclusive: options.exclusive ?? false,
        clock: "virtual",
        startTime: "2026-03-02T09:00:00.000Z",
        ...(options.limits && { limits: options.limits }),
      });
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
