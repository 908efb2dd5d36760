import type { NodeAPI } from 'node-red';
import { system } from '../src/catalogue/system';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, system);
