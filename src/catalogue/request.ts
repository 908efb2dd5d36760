import type { OperationGroup } from './operation';

/**
 * The operation that sends any request with the login of the device, for functions that are not in the
 * interface document.
 */
export const request = {
  resource: 'request',
  operations: [
    {
      id: 'request',
      title: 'Send a request',
      description: 'Sends any request to the device, signed like all requests.',
      section: '1',
      route: 'POST /{path}',
      firmware: '3.3',
      products: 'all',
      repeatable: false,
      urgent: false,
      answer: 'json',
      fields: {
        method: {
          type: 'string',
          title: 'Method',
          description:
            'GET reads, POST controls the device until its next reboot, PUT stores data that survives a reboot.',
          enum: ['GET', 'POST', 'PUT', 'DELETE'],
        },
        path: {
          type: 'string',
          title: 'Path',
          description:
            'Path and query on the device, percent-encoded, beginning with one slash. The request always goes to this device.',
          format: 'request-path',
          examples: ['/api/info/about'],
        },
        body: {
          type: 'any',
          title: 'Body',
          description: 'Objects and lists are sent as JSON, texts and Buffers unchanged.',
          foremost: true,
        },
        contentType: {
          type: 'string',
          title: 'Content type',
          description:
            'Media type of the body. Default: application/json for objects, text/plain for a text, application/octet-stream for a Buffer.',
          minLength: 1,
          examples: ['application/json'],
        },
      },
      required: ['method', 'path'],
    },
  ],
} as const satisfies OperationGroup;
