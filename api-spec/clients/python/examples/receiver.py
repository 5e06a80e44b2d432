"""Receives webhooks: CODILLE_TOKEN=... python receiver.py http://127.0.0.1:8000 PORT

It adds a webhook that calls this machine, prints each notice once, and removes the webhook at the end. The service must
be allowed to call this address: CODILLE_WEBHOOK_NETWORKS=127.0.0.0/8:1024-65535.
"""

import os
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

from codille_client import Forged, verify_webhook
from codille_client.sync import Client


def receive(url: str, token: str, port: int) -> None:
    seen: set[str] = set()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                notice = verify_webhook(webhook["secret"], dict(self.headers), body)
            except Forged as error:
                self.send_error(400, str(error))
                return
            self.send_response(204)
            self.end_headers()
            if self.headers["webhook-id"] not in seen:
                seen.add(self.headers["webhook-id"])
                print(notice["type"], notice["data"]["table"], flush=True)

    with Client(url, token) as client, HTTPServer(("127.0.0.1", port), Receiver) as server, suppress(KeyboardInterrupt):
        webhook = client.add_webhook({"url": f"http://127.0.0.1:{server.server_port}/"})
        try:
            server.serve_forever()
        finally:
            client.remove_webhook(webhook["id"])


if __name__ == "__main__":
    receive(sys.argv[1], os.environ["CODILLE_TOKEN"], int(sys.argv[2]))
