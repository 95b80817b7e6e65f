// The receiver of server.mjs with Express (npm install express): node express.mjs 3000
import express from "express";
import { respond } from "./hook.mjs";

const app = express();
// As text, so that hook.mjs handles invalid JSON instead of Express.
app.post("/hook", express.text({ type: () => true, limit: "1mb" }), (request, response) => {
  const { status, json } = respond({
    authorization: request.get("authorization"),
    body: typeof request.body === "string" ? request.body : "",
    secret: process.env.HOOK_SECRET ?? "",
  });
  response.status(status).json(json);
});
app.listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
