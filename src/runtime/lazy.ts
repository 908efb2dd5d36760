import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Node, NodeAPI, NodeDef } from 'node-red';

/** What of a request to the editor's server is used here. */
export interface AdminRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>;
  /** JSON, which Node-RED has read: of any shape. */
  readonly body?: unknown;
  /** Who logged in; absent where nobody has to. */
  readonly user?: { readonly username?: unknown };
}

export type AdminHandler = (
  request: AdminRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** What Node-RED's routes take. */
type RouteHandler = ReturnType<NodeAPI['auth']['needsPermission']>;

/** Makes of a node that Node-RED has created one of ours; what its dialog has stored may be of any type. */
export type Open<Properties> = (node: Node, definition: Omit<NodeDef, keyof Properties> & Properties) => void;

/**
 * Registers a type of node whose code is loaded when the first such node is made: whoever has installed this package
 * starts without what no flow uses.
 * @param options as `registerType` takes them, such as the credentials
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

/** Adds endpoints below the editor's address, all of them POST, whose code is loaded when the first of them is asked. */
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
    // Those who only want to know the types of a node bring no server.
    httpAdmin?.post(path, handler as unknown as RouteHandler);
  }
}
