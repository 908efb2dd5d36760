import type { NodeAPI } from 'node-red';
import { files } from '../src/catalogue/files';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, files);
