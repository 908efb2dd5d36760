/** The floor: signs, sends, is done. Checks nothing, keeps no receipt, says nothing. */
const http = require('node:http');
const net = require('node:net');
const { sign } = require('./sign.js');

/** What sends over a connection of undici. */
function undiciClient(address) {
  const { Client } = require('undici');
  const client = new Client(address);
  const send = async (method, path, headers, body) => {
    const { statusCode, body: answer } = await client.request({ method, path, headers, body });
    return { statusCode, text: await answer.text() };
  };
  return { send, close: () => client.destroy() };
}

/** Core's agent with one connection, which we open ourselves. */
class OneConnection extends http.Agent {
  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  createConnection({ host, port }) {
    return net.connect({ host, port, noDelay: true, keepAlive: true });
  }
}

/** What sends over a connection of core's http. */
function coreClient(address) {
  const { hostname: host, port } = new URL(address);
  const agent = new OneConnection();
  const send = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const request = http.request({ agent, host, port, method, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ statusCode: answer.statusCode, text }));
        answer.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

exports.clientOf = (address, http) => (http === 'core' ? coreClient(address) : undiciClient(address));

exports.register = (RED) => {
  RED.nodes.registerType('bench-bare', function (config) {
    RED.nodes.createNode(this, config);
    const clients = config.addresses.map((address) => exports.clientOf(address, config.http));
    this.on('input', async (message, send, done) => {
      try {
        const { method, path, body, type } = requestOf(config, message);
        const ask = async (client) => {
          const { statusCode } = await client.send(method, path, sign(method, path, body, type), body);
          if (statusCode !== 200) throw new Error(`status ${statusCode}`);
        };
        await (clients.length === 1 ? ask(clients[0]) : Promise.all(clients.map(ask)));
        send(message);
        done();
      } catch (error) {
        done(error);
      }
    });
    this.on('close', () => {
      for (const client of clients) client.close();
    });
  });
};

function requestOf({ method, path, body, content }, { payload }) {
  if (content === 'file') return { method, path, body: payload.content, type: 'application/octet-stream' };
  return { method, path, body: JSON.stringify(body ?? payload), type: 'application/json' };
}
