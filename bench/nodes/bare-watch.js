/** The floor for watching: a timer, a signature and a comparison for each reading. */
const { clientOf } = require('./bare.js');
const { sign } = require('./sign.js');

exports.register = (RED) => {
  RED.nodes.registerType('bench-bare-watch', function (config) {
    RED.nodes.createNode(this, config);
    const client = clientOf(config.address, config.http);
    let last;
    const read = async (path) => {
      const { text } = await client.send('GET', path, sign('GET', path));
      const payload = JSON.parse(text);
      const state = payload['input.relay.status'];
      if (state === undefined) return;
      if (last !== undefined && last !== state) this.send({ payload });
      last = state;
    };
    const tryToRead = (path) => read(path).catch((error) => this.error(error));
    const timers = config.paths.map((path) =>
      // Readings do not begin together: those of a flow that a person deploys do not stay together either.
      setTimeout(
        () => timers.push(setInterval(tryToRead, config.intervalMs, path)),
        Math.random() * config.intervalMs,
      ),
    );
    this.on('close', () => {
      for (const timer of timers) clearInterval(timer);
      client.close();
    });
  });
};
