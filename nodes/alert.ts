import type { NodeAPI } from 'node-red';
import { registerAlertNode } from '../src/runtime/alert/alert-node';

export = (RED: NodeAPI): void => registerAlertNode(RED);
