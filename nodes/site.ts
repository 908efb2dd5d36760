import type { NodeAPI } from 'node-red';
import { registerSiteNode } from '../src/runtime/sites/site-node';

export = (RED: NodeAPI): void => registerSiteNode(RED);
