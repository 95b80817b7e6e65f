"""The service behind an assistant's pre-call webhook: what is known of a caller, for the assistant's prompt.

    python3 hook.py 3000

With Python's standard library alone; fastapi_hook.py is the same with FastAPI.
"""

import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALLERS = {"+4915112345678": {"name": "Anna Weiß", "open_invoices": 2}}


def known_of(number):
    """What the prompt says of a caller; nothing of a stranger, or of a number that is withheld."""
    return CALLERS.get(number, {})


def is_allowed(authorization):
    expected = "Bearer " + os.environ.get("HOOK_SECRET", "")
    return hmac.compare_digest(authorization.encode(), expected.encode())


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(length, 1_000_000))
        if not is_allowed(self.headers.get("Authorization") or ""):
            return self.answer(401, {"error": "not allowed"})
        try:
            call = json.loads(body)
        except ValueError:
            return self.answer(400, {"error": "the body is no JSON"})
        if not isinstance(call, dict):
            return self.answer(400, {"error": "the body is no object"})
        return self.answer(200, known_of(call.get("from")))

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def serve(port):
    return ThreadingHTTPServer(("127.0.0.1", port), Hook)


if __name__ == "__main__":
    serve(int(sys.argv[1])).serve_forever()
