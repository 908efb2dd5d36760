import type { NodeAPI } from 'node-red';
import { strobe } from '../src/catalogue/strobe';
import { registerActionNode } from '../src/runtime/action/node';
import { strobesByName } from '../src/runtime/action/strobe-names';

export = (RED: NodeAPI): void => registerActionNode(RED, strobe, strobesByName());
