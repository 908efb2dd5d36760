import type { NodeAPI } from 'node-red';
import { emergency } from '../src/catalogue/emergency';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, emergency);
