import type { NodeAPI } from 'node-red';
import { scheduler } from '../src/catalogue/scheduler';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, scheduler);
