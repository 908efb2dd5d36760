/// <reference types="node" preserve="true" />

/** The library for programs: one device, its operations and its errors (docs/library.md). */
export { DeviceError, type ErrorCode, errorCodes, type FailedOutcome } from '../client/errors';
export { type Answer, type CallOptions, type ClientOptions, DeviceClient, type FreeRequest } from './client';
export { type NamedOperation, type OperationName, operation, operationNames } from './operations';
export type { OperationParameters } from './parameters';
export type { DeviceSettings } from './settings';
