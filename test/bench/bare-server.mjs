// Sends fixed responses with bare node:http. A JSON file maps "METHOD /path" to a response.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answers = new Map(
  Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8"))).map(
    ([request, { status, headers, body }]) => [request, { status, headers, body: Buffer.from(body) }],
  ),
);

const server = createServer((request, response) => {
  const answer = answers.get(`${request.method} ${request.url}`);
  const send = () => {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  };
  if (request.method === "GET") send();
  else {
    // Read and parse the body, because any server must do so to create a resource.
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      send();
    });
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
