/** Keeps when each message came; the process that measures says where. */
module.exports = (RED) => {
  RED.nodes.registerType('bench-edge', function (config) {
    RED.nodes.createNode(this, config);
    this.on('input', (message, _send, done) => {
      const payload = message.payload;
      const state = payload.state ?? payload['input.relay.status'];
      if (state !== undefined && !message.initial) RED.settings.sawEdge(config.address, state);
      done();
    });
  });
};
