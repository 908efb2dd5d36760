import type { NodeAPI } from 'node-red';
import { registerWatchNode } from '../src/runtime/register';

export = (RED: NodeAPI): void => registerWatchNode(RED, 'console-events');
