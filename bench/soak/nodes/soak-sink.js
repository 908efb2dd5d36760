/** Tells the process that runs Node-RED which messages came here. */
module.exports = (RED) => {
  RED.nodes.registerType('soak-sink', function (config) {
    RED.nodes.createNode(this, config);
    this.on('input', (message, _send, done) => {
      RED.settings.soakSink(config.role, message);
      done();
    });
  });
};
