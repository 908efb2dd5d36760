import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Node, NodeAPI, NodeDef } from 'node-red';

export interface AdminRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly user?: { readonly username?: unknown };
}

export type AdminHandler = (
  request: AdminRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

type RouteHandler = ReturnType<NodeAPI['auth']['needsPermission']>;

/** Turns a node that Node-RED created into a node of this package. Each stored property can have any type. */
export type Open<Properties> = (node: Node, definition: Omit<NodeDef, keyof Properties> & Properties) => void;

/**
 * Registers a node type. The code of the type is loaded with the first node, so that an unused type costs no
 * time at the start.
 * @param options options of `registerType`, such as the credentials
 */
export function registerLazy<Properties>(
  RED: NodeAPI,
  type: string,
  load: () => Open<Properties>,
  options?: object,
): void {
  let open: Open<Properties> | undefined;
  function create(this: Node, definition: NodeDef & Properties): void {
    RED.nodes.createNode(this, definition);
    open ??= load();
    open(this, definition);
  }
  RED.nodes.registerType(type, create, options);
}

/**
 * Adds POST endpoints below the editor's address. The code of the endpoints is loaded on demand, once, with
 * the first request.
 */
export function serveLazy<Path extends string>(
  { httpAdmin }: NodeAPI,
  paths: readonly Path[],
  load: () => Readonly<Record<Path, AdminHandler>>,
): void {
  let handlers: Readonly<Record<Path, AdminHandler>> | undefined;
  for (const path of paths) {
    const handler: AdminHandler = (request, response, next) => {
      handlers ??= load();
      handlers[path](request, response, next);
    };
    // Tools that only list the node types run without a server, so `httpAdmin` can be missing.
    httpAdmin?.post(path, handler as unknown as RouteHandler);
  }
}
