import type { NodeAPI } from 'node-red';
import { door } from '../src/catalogue/door';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, door);
