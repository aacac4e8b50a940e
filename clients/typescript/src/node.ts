/** The way to a service from Node: gRPC over HTTP/2, kept alive by pings. */

import { Http2SessionManager, createGrpcTransport } from "@connectrpc/connect-node";
import type { Transport } from "@connectrpc/connect";

/** A connection to one address. Whoever opened it closes it, or it keeps the process alive. */
export interface Connection {
  readonly transport: Transport;
  close(): void;
}

/** Connect to an address such as "localhost:50051", or to a URL with its scheme. */
export function connect(address: string): Connection {
  const baseUrl = address.includes("://") ? address : `http://${address}`;
  // the service wants at least 10 seconds between pings
  const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs: 30_000, pingTimeoutMs: 10_000 });
  return { transport: createGrpcTransport({ baseUrl, sessionManager }), close: () => sessionManager.abort() };
}
