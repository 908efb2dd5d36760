import type { NodeAPI } from 'node-red';
import { relay } from '../src/catalogue/relay';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, relay);
