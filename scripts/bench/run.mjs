// `npm run bench`: measures everything in turn, prints the tables and writes them to docs/performance.md.
// node scripts/bench/run.mjs [startup http others size import] measures some and writes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { benchHttp } from "./http.mjs";
import { benchImport } from "./import-ratio.mjs";
import { machine } from "./measure.mjs";
import { benchOthers } from "./others.mjs";
import { root } from "./servers.mjs";
import { benchSize } from "./size.mjs";
import { benchStartup } from "./startup.mjs";

const parts = {
  startup: async () => ({ "Start-up": await benchStartup() }),
  http: async () => ({ "Beside bare node:http": await benchHttp() }),
  others: async () => ({ "Beside json-server and Prism": await benchOthers() }),
  size: async () => {
    const { pages, memory, opening } = await benchSize();
    return { "As a world grows": pages, Memory: memory, Worlds: opening };
  },
  import: async () => ({ Imports: await benchImport() }),
};

const chosen = process.argv.slice(2);
const names = chosen.length > 0 ? chosen : Object.keys(parts);
const tables = {};
for (const name of names) {
  console.error(`measuring ${name} …`);
  for (const [title, text] of Object.entries(await parts[name]())) {
    tables[title] = text;
    console.log(`## ${title}\n\n${text}\n`);
  }
}

if (chosen.length === 0) {
  // What is said of the figures is written by hand and stays; the tables are between the marks.
  const path = `${root}docs/performance.md`;
  let page = readFileSync(path, "utf8");
  for (const [title, text] of Object.entries({ Machine: `${machine()}.`, ...tables })) {
    const mark = title.toLowerCase().replace(/\W+/g, "-");
    const part = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
    if (!part.test(page)) throw new Error(`docs/performance.md has no place for "${title}" (${mark})`);
    page = page.replace(part, (_, begin, end) => `${begin}\n${text}\n\n${end}`);
  }
  writeFileSync(path, page);
}
