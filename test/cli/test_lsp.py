"""`pto-lsp-server`: the editor sees our verifiers' messages where they belong."""

import json
import subprocess
import sys

PROGRAM = """pto.kernel @k(%x: !pto.ptr<f32>) {
  %t = alloc_tile : !pto.tile_buf<vec, 16x16xf32, valid=17x16>
}
"""


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def replies(stream: bytes) -> list[dict]:
    found = []
    while stream:
        header, _, rest = stream.partition(b"\r\n\r\n")
        length = int(header.split(b":")[1])
        found.append(json.loads(rest[:length]))
        stream = rest[length:]
    return found


def test_a_wrong_tile_type_is_reported_in_its_place() -> None:
    document = {"uri": "test:///k.mlir", "languageId": "mlir", "version": 1, "text": PROGRAM}
    session = (
        message(id=1, method="initialize", params={"capabilities": {}, "processId": 1})
        + message(method="textDocument/didOpen", params={"textDocument": document})
        + message(id=2, method="shutdown")
        + message(method="exit")
    )
    server = subprocess.run(
        [sys.executable, "-c", "from pto.cli.lsp import main; main()"],
        input=session,
        capture_output=True,
        timeout=60,
    )
    diagnostics = [
        diagnostic
        for reply in replies(server.stdout)
        if reply.get("method") == "textDocument/publishDiagnostics"
        for diagnostic in reply["params"]["diagnostics"]
    ]
    assert len(diagnostics) == 1
    assert "valid rows 17 are outside 0 to 16" in diagnostics[0]["message"]
    assert diagnostics[0]["range"]["start"]["line"] == 1
