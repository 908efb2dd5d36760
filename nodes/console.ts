import type { NodeAPI } from 'node-red';
import { console } from '../src/catalogue/console';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, console);
