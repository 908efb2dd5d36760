import type { NodeAPI } from 'node-red';
import { registerRemoteNode } from '../src/runtime/sites/remote-node';

export = (RED: NodeAPI): void => registerRemoteNode(RED);
