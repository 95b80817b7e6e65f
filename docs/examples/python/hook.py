"""A receiver of an assistant's pre-call webhook, which returns the caller's data for the prompt.

    python3 hook.py 3000

Requires only Python's standard library. fastapi_hook.py is the same receiver with FastAPI.
"""

import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALLERS = {"+4915112345678": {"name": "Anna Weiß", "open_invoices": 2}}


def find_caller(number):
    """Returns the caller's data for the prompt, or {} for an unknown or withheld number."""
    return CALLERS.get(number, {})


def is_allowed(authorization):
    expected = "Bearer " + os.environ.get("HOOK_SECRET", "")
    return hmac.compare_digest(authorization.encode(), expected.encode())


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(length, 1_000_000))
        if not is_allowed(self.headers.get("Authorization") or ""):
            return self.respond(401, {"error": "unauthorized"})
        try:
            call = json.loads(body)
        except ValueError:
            return self.respond(400, {"error": "invalid JSON"})
        if not isinstance(call, dict):
            return self.respond(400, {"error": "expected a JSON object"})
        return self.respond(200, find_caller(call.get("from")))

    def respond(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # With the default of 5, a connection in a burst of calls waits a second until the system tries again.
    request_queue_size = 128


def serve(port):
    return Server(("127.0.0.1", port), Hook)


if __name__ == "__main__":
    serve(int(sys.argv[1])).serve_forever()
