import type { NodeAPI } from 'node-red';
import { call } from '../src/catalogue/call';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, call);
