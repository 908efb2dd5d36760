import assert from 'node:assert/strict';
import type { Node, NodeStatus } from 'node-red';
import { DeviceError } from '../../../src/client/errors';
import { StatusLine } from '../../../src/runtime/message/status';
import type { GroupState } from '../../../src/runtime/watch/group-watch';
import { NodeGroupSink } from '../../../src/runtime/watch/node-sinks';
import { StatusWords } from '../../../src/runtime/watch/status-words';

const translate = (key: string, values: Record<string, string> = {}) =>
  [key, ...Object.entries(values).map((entry) => entry.join('='))].join(' ');

describe('the status of a node that watches a group', () => {
  let shown: NodeStatus[];
  let status: StatusLine;
  let sink: NodeGroupSink;

  beforeEach(() => {
    shown = [];
    const node = { status: (status: NodeStatus) => shown.push(status) } as unknown as Node;
    status = new StatusLine(node);
    sink = new NodeGroupSink(new StatusWords(translate as never), node, status);
  });

  afterEach(() => status.clear());

  const watching = (reachable: number, total: number, offline: number): GroupState => {
    return { state: 'watching', reachable, total, offline };
  };
  const error = new DeviceError('NOT_CONFIGURED', 'no members');
  const cases: [GroupState, fill: string, shape: string, text: string][] = [
    [watching(14, 14, 0), 'green', 'dot', 'state.reachable reachable=14 total=14'],
    [watching(12, 14, 2), 'yellow', 'ring', 'state.reachable reachable=12 total=14'],
    [watching(0, 14, 14), 'red', 'ring', 'state.reachable reachable=0 total=14'],
    [watching(0, 14, 1), 'yellow', 'ring', 'state.reachable reachable=0 total=14'],
    [watching(3, 14, 0), 'grey', 'ring', 'state.reachable reachable=3 total=14'],
    [{ state: 'paused' }, 'grey', 'ring', 'state.paused'],
    [{ state: 'unusable', error }, 'red', 'ring', 'no members'],
  ];
  for (const [state, fill, shape, text] of cases) {
    it(`is ${fill} with ${JSON.stringify(state)}`, () => {
      sink.show(state);
      assert.deepEqual(shown, [{ fill, shape, text }]);
    });
  }

  it('is shown once while it stays the same', () => {
    for (let reading = 0; reading < 10; reading++) sink.show(watching(14, 14, 0));
    assert.equal(shown.length, 1);
  });

  it('is shown four times at once at most, however many members change', () => {
    for (let reachable = 0; reachable < 500; reachable++) sink.show(watching(reachable, 500, 0));
    assert.equal(shown.length, 4);
  });
});
