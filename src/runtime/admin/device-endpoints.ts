import type { NodeAPI } from 'node-red';
import { said } from '../../catalogue/saying';
import { wordsOf } from '../../client/errors';
import { type AdminHandler, type AdminRequest, answer, guard, type RouteHandler, refusalOf } from './guard';

type Finder = import('./find/finder').Finder;
type Answers = typeof import('./device-answers');

/** What each person may ask for in a minute. */
const perMinute = {
  trials: 30,
  offers: 120,
  tries: 30,
  looks: 600,
  questions: 20,
  searches: 20,
} as const;

/** The endpoints of the dialogs that ask devices, below the editor's address (docs/editor.md). */
export function addDeviceEndpoints(RED: NodeAPI): void {
  const { httpAdmin } = RED;
  // Those who only want to know the types of a node bring no server.
  if (!httpAdmin) return;
  const serve = (path: string, may: AdminHandler, work: Work) =>
    httpAdmin.post(path, ...([may, answering(RED, work)] as unknown as RouteHandler[]));
  const mayRead = guard(RED, 'algo.read', { perMinute: perMinute.offers });
  const mayTry = guard(RED, 'algo.write', { perMinute: perMinute.tries });
  serve('/algo/test', guardOfTrials(RED), ({ answerTrial }, request) => answerTrial(RED, request));
  serve('/algo/devices/:id/offer', mayRead, ({ answerOffers }, request) => answerOffers(RED, request));
  serve('/algo/overview/watch', guard(RED, 'algo.read', { perMinute: perMinute.looks }), (_, { body }) =>
    loadOverview().then(({ answerWatch }) => answerWatch(RED, body)),
  );
  serve('/algo/overview/ask', guard(RED, 'algo.read', { perMinute: perMinute.questions }), (_, { body }) =>
    loadOverview().then(({ answerAsk }) => answerAsk(body)),
  );
  serve('/algo/overview/known', guard(RED, 'algo.read', { perMinute: perMinute.looks }), (_, { body }) =>
    loadOverview().then(({ answerKnown }) => answerKnown(body)),
  );
  serve('/algo/devices/:id/try', mayTry, ({ answerTry }, request) => answerTry(RED, request));
  // It reaches addresses that nobody deployed.
  const mayFind = () => guard(RED, 'flows.write', { perMinute: perMinute.searches });
  serve('/algo/find/ranges', mayFind(), async () => {
    const { ownRanges } = await import('./find/own-ranges.js');
    return { ranges: ownRanges() };
  });
  httpAdmin.post('/algo/find', ...([mayFind(), finding()] as unknown as RouteHandler[]));
}

/** Answers line by line, so it is no handler like the others. */
function finding(): AdminHandler {
  let finder: Promise<Finder> | undefined;
  return (request, response, next) => {
    finder ??= import('./find/finder.js').then(({ Finder: Class }) => new Class());
    finder.then((one) => one.answer(request, response)).catch(next);
  };
}

/** Who may not deploy reaches only what is deployed. */
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

type Work = (answers: Answers, request: AdminRequest) => Promise<object | undefined>;

/** Makes a handler of what works out an answer. Whatever it throws becomes a 500, and nothing escapes. */
function answering(RED: NodeAPI, work: Work): AdminHandler {
  return (request, response) => {
    loadAnswers()
      .then((answers) => work(answers, request))
      .then((found) =>
        found ? answer(response, 200, found) : answer(response, 404, refusalOf(said('notDeployed'))),
      )
      .catch((fault: unknown) => {
        RED.log.error(`[algo-device] a fault in this package: ${wordsOf(fault)}`);
        answer(response, 500, refusalOf(said('ourFault')));
      });
  };
}

/** Most people never ask, and a start of Node-RED does without all of this. */
function loadAnswers(): Promise<Answers> {
  return import('./device-answers.js');
}

function loadOverview(): Promise<typeof import('../overview/endpoint')> {
  return import('../overview/endpoint.js');
}
