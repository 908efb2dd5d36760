import type { NodeAPI } from 'node-red';
import { settings } from '../src/catalogue/settings';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, settings);
