import type { OperationGroup } from './operation';

/** Any signed request, for operations of newer firmware that are not in the document. */
export const request = {
  resource: 'request',
  operations: [
    {
      id: 'request',
      title: 'Send a request',
      description: 'Sends any request to the device, signed like every other.',
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
          description: 'GET reads, POST controls the device for now, PUT stores what survives a reboot.',
          enum: ['GET', 'POST', 'PUT', 'DELETE'],
        },
        path: {
          type: 'string',
          title: 'Path',
          description:
            'Path and query on the device, percent-encoded, beginning with one slash. It cannot lead to another host.',
          format: 'request-path',
          examples: ['/api/info/about'],
        },
        body: {
          type: 'any',
          title: 'Body',
          description: 'An object or a list goes out as JSON, a text or a Buffer as it is.',
          foremost: true,
        },
        contentType: {
          type: 'string',
          title: 'Content type',
          description:
            'What the body is. Unless given: application/json for objects, text/plain for a text, application/octet-stream for a Buffer.',
          minLength: 1,
          examples: ['application/json'],
        },
      },
      required: ['method', 'path'],
    },
  ],
} as const satisfies OperationGroup;
