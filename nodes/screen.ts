import type { NodeAPI } from 'node-red';
import { screen } from '../src/catalogue/screen';
import { registerActionNode } from '../src/runtime/action-node';

export = (RED: NodeAPI): void => registerActionNode(RED, screen);
