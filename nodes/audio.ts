import type { NodeAPI } from 'node-red';
import { audio } from '../src/catalogue/audio';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, audio);
