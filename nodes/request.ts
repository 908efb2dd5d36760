import type { NodeAPI } from 'node-red';
import { request } from '../src/catalogue/request';
import { registerActionNode } from '../src/runtime/action-node';
import { freeRequests } from '../src/runtime/free-request';

export = (RED: NodeAPI): void => registerActionNode(RED, request, freeRequests());
