import assert from 'node:assert/strict';
import { action, alertNode, alertOf, eachWithPlace, type Place, short, states } from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { receiptLog, receiptsOf } from '../fixtures/site';

describe('algo-alert for several devices, groups and tags', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });
  const several = (...targets: string[]) => ({ target: 'several', targets });
  const group = { id: 'gates', type: 'algo-group', name: 'Gates', devices: ['door'], tags: '' } as NodeConfig;

  it('starts at each of them once, in their order, and ends exactly there', async () => {
    const north = await site.device('North', '8410');
    const alert = alertNode(
      [action('strobe/start'), action('relay/enable')],
      several('tag:wing', 'group:gates', 'wall'),
    );
    const devices = [north, wall].map((device) => device.config({ tags: 'wing' }));
    await site.start([...devices, door.config(), group, states, ...receiptLog(), alert]);
    const started = await site.ask(alert.id);
    assert.deepEqual(receiptsOf(started).map(short), [
      'North strobe/start accepted',
      'North relay/enable skipped',
      'Wall strobe/start accepted',
      'Wall relay/enable skipped',
      'Door strobe/start skipped',
      'Door relay/enable accepted',
    ]);
    assert.deepEqual(alertOf(started).active, ['North', 'Wall', 'Door']);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), [
      'North strobe/stop accepted',
      'Wall strobe/stop accepted',
      'Door relay/disable accepted',
    ]);
    const heard = [north, wall, door].map(({ operationNames }) => operationNames);
    assert.deepEqual(heard, [
      ['strobe/start', 'strobe/stop'],
      ['strobe/start', 'strobe/stop'],
      ['relay/enable', 'relay/disable'],
    ]);
  });

  it('ends where it was started, also after a deploy that ticks others', async () => {
    const north = await site.device('North', '8410');
    const alert = alertNode([action('strobe/start')], several('wall', 'tag:wing'));
    const devices = (tags: string) =>
      [wall.config(), door.config(), north.config({ tags }), states, ...receiptLog()] as NodeConfig[];
    await site.start([...devices('wing'), alert]);
    await site.ask(alert.id);
    const south = await site.device('South', '8410');
    await site.redeploy([...devices(''), south.config(), { ...alert, ...several('south') } as NodeConfig]);
    assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).active, ['Wall', 'North']);
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop accepted',
      'North strobe/stop accepted',
    ]);
    assert.deepEqual(south.operationNames, []);
    await site.ask(alert.id);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(
      [wall, north, south].map(({ operationNames }) => operationNames),
      [
        ['strobe/start', 'strobe/stop'],
        ['strobe/start', 'strobe/stop'],
        ['strobe/start', 'strobe/stop'],
      ],
    );
  });

  it('says of what is not there that it is not, and starts at the others', async () => {
    const alert = alertNode([action('strobe/start')], several('gone', 'wall', 'tag:nobody'));
    await flow(alert);
    const way = await site.ask(alert.id);
    assert.deepEqual(
      receiptsOf(way).map((receipt) => `${short(receipt)} ${receipt.error?.code}`),
      [
        'gone strobe/start failed NOT_CONFIGURED',
        'Wall strobe/start accepted undefined',
        'tag:nobody strobe/start failed NOT_CONFIGURED',
      ],
    );
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop accepted',
    ]);
  });

  it('is not on where nothing is ticked, whatever the message says', async () => {
    const alert = alertNode([action('strobe/start')], several());
    await flow(alert);
    const way = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(way).map(({ outcome, error }) => `${outcome} ${error?.code}`),
      ['failed NOT_CONFIGURED'],
    );
    assert.deepEqual([alertOf(way).state, wall.operationNames], ['idle', []]);
  });
});
