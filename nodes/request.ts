import type { NodeAPI } from 'node-red';
import { request } from '../src/catalogue/request';
import { freeRequests } from '../src/runtime/action/free-request';
import { registerActionNode } from '../src/runtime/action/node';

export = (RED: NodeAPI): void => registerActionNode(RED, request, freeRequests());
