import type { NodeAPI } from 'node-red';
import { registerWatchNode } from '../src/runtime/watch/register';

export = (RED: NodeAPI): void => registerWatchNode(RED, 'relay-input');
