import assert from 'node:assert/strict';
import { readArguments, UsageError } from '../../../src/virtual-device/command-line/arguments';

describe('the arguments of algo-virtual-device', () => {
  const wrong: readonly [string[], RegExp][] = [
    [['--colour'], /Unknown option '--colour'/],
    [['8301'], /Unexpected argument '8301'/],
    [['--port'], /--port/],
    [['--port', '70000'], /--port must be a whole number from 0 to 65535/],
    [['--count', '0'], /--count must be/],
    [['--model', '9999'], /the model "9999" does not exist; known models: 8028, /],
    [['--firmware', 'x'], /--firmware must look like/],
    [['--auth', 'digest'], /--auth must be standard, basic or none/],
    [['--port', '65535', '--count', '2'], /no 2 ports from 65535/],
    [['--unauthorized', '404'], /--unauthorized must be 401 or 403/],
    [['--speed', 'fast'], /--speed must be a number, not "fast"/],
    [['--fault', 'half'], /--fault must be JSON/],
    [['--seed', '-1'], /--seed must be a whole number from 0 to 2147483648, not "-1"/],
    [['--clock', '-5x'], /--clock must be a number, not "-5x"/],
    [['--clock=5', '-6'], /'-6'/],
    [['--port', '--tls'], /'--port' argument is ambiguous/],
    [['--password', ''], /--password must not be empty/],
    [['--host', ''], /--host must not be empty/],
    [['--state', ''], /--state must not be empty/],
  ];
  it('permit calls of the device only where they say so', () => {
    const callsOf = (...args: string[]) => {
      const read = readArguments(args);
      assert.notEqual(read, 'help');
      return (read as Exclude<typeof read, 'help'>).device.calls;
    };
    assert.equal(callsOf('--host', '0.0.0.0'), undefined);
    assert.equal(callsOf('--host', '0.0.0.0', '--calls', 'loopback'), 'loopback');
    assert.equal(callsOf('--calls', 'any'), 'any');
  });
  for (const [args, message] of wrong)
    it(`are refused in one line: ${args.join(' ')}`, () => {
      assert.throws(
        () => readArguments(args),
        (error: Error) => {
          assert.ok(error instanceof UsageError, String(error));
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        },
      );
    });
});
