import type { NodeAPI } from 'node-red';
import { info } from '../src/catalogue/info';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, info);
