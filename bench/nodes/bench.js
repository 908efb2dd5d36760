/** The nodes of the bench: where messages come from and go to, and the contestants that are nodes of their own. */
const bare = require('./bare.js');
const bareWatch = require('./bare-watch.js');

/** How often the clock shows the time, in milliseconds. */
const clockMs = 100;

module.exports = (RED) => {
  const { addSource, arrived, sawEdge } = RED.settings.bench;

  RED.nodes.registerType('bench-source', function (config) {
    RED.nodes.createNode(this, config);
    addSource(config.index, this);
  });

  RED.nodes.registerType('bench-sink', function (config) {
    RED.nodes.createNode(this, config);
    this.on('input', (message, _send, done) => {
      if (config.edgesOf === undefined) arrived(message, config.errors);
      else noteEdge(config.edgesOf, message);
      done();
    });
  });

  function noteEdge(address, { payload, initial }) {
    const state = payload.state ?? payload['input.relay.status'];
    if (state !== undefined && !initial) sawEdge(address, state);
  }

  /** Shows the time in its status: an editor sees by it how far it is behind. */
  RED.nodes.registerType('bench-clock', function (config) {
    RED.nodes.createNode(this, config);
    const timer = setInterval(() => this.status({ text: String(Date.now()) }), clockMs);
    this.on('close', () => clearInterval(timer));
  });

  /** What Node-RED and the bench take by themselves. */
  RED.nodes.registerType('bench-empty', function (config) {
    RED.nodes.createNode(this, config);
    this.on('input', (message, send, done) => {
      send(message);
      done();
    });
  });

  bare.register(RED);
  bareWatch.register(RED);
};
