import type { NodeAPI } from 'node-red';
import { localized } from '../../catalogue/localized-message';
import { describeFault } from '../../client/errors';
import type { AdminHandler, AdminRequest } from '../lazy';
import { textIn } from './dialog-values';
import { answer, defaultMaxLength, guard, guarded, refusalOf } from './guard';

type Finder = import('./find/finder').Finder;
type Answers = typeof import('./device-answers');

const perMinute = {
  trials: 600,
  offers: 120,
  tries: 30,
  looks: 600,
  questions: 20,
  searches: 20,
} as const;

export type DevicePath =
  | '/algo/test'
  | '/algo/offer'
  | '/algo/devices/:id/try'
  | '/algo/overview/watch'
  | '/algo/overview/ask'
  | '/algo/overview/known'
  | '/algo/find'
  | '/algo/find/ranges';

export function deviceEndpoints(RED: NodeAPI): Readonly<Record<DevicePath, AdminHandler>> {
  const who = (permission: string, perMinute: number) => guard(RED, permission, { perMinute });
  const serve = (may: AdminHandler, handle: EndpointHandler) => guarded(may, answering(RED, handle));
  const mayRead = who('algo.read', perMinute.offers);
  const mayTry = guard(RED, 'algo.write', { perMinute: perMinute.tries, maxLength: lengthWithFile });
  // Requires the permission to change flows, since a search sends requests to addresses that are not
  // deployed.
  const mayFind = () => who('flows.write', perMinute.searches);
  return {
    '/algo/test': serve(guardOfTrials(RED), ({ answerTrial }, request) => answerTrial(RED, request)),
    '/algo/offer': serve(mayRead, ({ answerOffers }, request) => answerOffers(RED, request)),
    '/algo/devices/:id/try': serve(mayTry, ({ answerTry }, request) => answerTry(RED, request)),
    '/algo/overview/watch': serve(who('algo.read', perMinute.looks), (_, { body }) =>
      loadOverview().then(({ answerWatch }) => answerWatch(RED, body)),
    ),
    '/algo/overview/ask': serve(who('algo.read', perMinute.questions), (_, { body }) =>
      loadOverview().then(({ answerAsk }) => answerAsk(body)),
    ),
    '/algo/overview/known': serve(who('algo.read', perMinute.looks), (_, { body }) =>
      loadOverview().then(({ answerKnown }) => answerKnown(body)),
    ),
    '/algo/find': guarded(mayFind(), finding()),
    '/algo/find/ranges': serve(mayFind(), async () => {
      const { ownRanges } = await import('./find/range.js');
      return { ranges: ownRanges() };
    }),
  };
}

/**
 * Returns the maximum length of a request to try a command. Adds the length of a file's content or of a
 * calendar, so that the limit applies only to the rest of the request.
 */
function lengthWithFile(body: unknown): number {
  const { resource, form } = Object(body) as { resource?: unknown; form?: unknown };
  const { content, ics } = Object(form) as { content?: unknown; ics?: unknown };
  const { value } = Object(resource === 'files' ? content : resource === 'scheduler' && ics) as {
    value?: unknown;
  };
  return defaultMaxLength + JSON.stringify(textIn(value)).length;
}

function finding(): AdminHandler {
  let finder: Promise<Finder> | undefined;
  return (request, response, next) => {
    finder ??= import('./find/finder.js').then(({ Finder: Class }) => new Class());
    finder.then((one) => one.answer(request, response)).catch(next);
  };
}

/**
 * A test of the deployed settings requires `algo.write`; any other test requires `flows.write`, the
 * permission to deploy.
 */
function guardOfTrials(RED: NodeAPI): AdminHandler {
  const options = { perMinute: perMinute.trials };
  const [mayWrite, mayDeploy] = [guard(RED, 'algo.write', options), guard(RED, 'flows.write', options)];
  return (request, response, next) => {
    loadAnswers()
      .then(({ isOfDeployed }) => (isOfDeployed(RED, request.body) ? mayWrite : mayDeploy))
      .then((may) => may(request, response, next))
      .catch(next);
  };
}

type EndpointHandler = (answers: Answers, request: AdminRequest) => Promise<object | undefined>;

/**
 * Creates a handler from a function that computes a response: undefined becomes status 404, an exception
 * status 500.
 */
function answering(RED: NodeAPI, handle: EndpointHandler): AdminHandler {
  return (request, response) => {
    loadAnswers()
      .then((answers) => handle(answers, request))
      .then((found) =>
        found ? answer(response, 200, found) : answer(response, 404, refusalOf(localized('notDeployed'))),
      )
      .catch((fault: unknown) => {
        RED.log.error(`[algo-device] ${describeFault(fault)}`);
        answer(response, 500, refusalOf(localized('ourFault')));
      });
  };
}

function loadAnswers(): Promise<Answers> {
  return import('./device-answers.js');
}

function loadOverview(): Promise<typeof import('./overview')> {
  return import('./overview.js');
}
